// The time for the response of the server.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "../../../../lib/fixtures/site.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";
import { measureMs, scaleLimitByLoad } from "../../../support/timing.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 20 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

const failed = (path: string, options: Options = {}) => failureOf(captureOf(path, options));

describe("navigation_timeout", () => {
  test("limits the wait for the response", async () => {
    const failure = failed("/never-answers", { navigation_timeout: 1 });
    const [took, control] = await Promise.all([measureMs(() => failure), measureMs(() => captureOf("/box"))]);
    expect(await failure).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      details: { phase: ["navigate"], pending: [`${site.origin}/never-answers`] },
    });
    expect(took).toBeLessThan(1_000 + scaleLimitByLoad(2_000, control));
  });
});
