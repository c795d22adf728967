// The time for the response of the server.
import { describe, expect, test } from "vitest";
import { failureOf } from "../../../support/chromium.ts";
import { type Options, startSmallCaptures } from "../../../support/small-captures.ts";
import { measureMs, scaleLimitByLoad } from "../../../support/timing.ts";

const { captureOf, origin } = startSmallCaptures();

const failed = (path: string, options: Options = {}) => failureOf(captureOf(path, options));

describe("navigation_timeout", () => {
  test("limits the wait for the response", async () => {
    const failure = failed("/never-answers", { navigation_timeout: 1 });
    const [took, control] = await Promise.all([measureMs(() => failure), measureMs(() => captureOf("/box"))]);
    expect(await failure).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      details: { phase: ["navigate"], pending: [`${origin()}/never-answers`] },
    });
    expect((await failure).message).toMatch(/ Raise navigation_timeout\.$/);
    expect(took).toBeLessThan(1_000 + scaleLimitByLoad(2_000, control));
  });
});
