// The smoke test of a page that exceeds a limit.
import { expect, test } from "vitest";
import { namedLimit } from "../../../../lib/tools/operate/smoke/smoke-checks.ts";

const answer = (status: number, body: Record<string, unknown>) => ({ status, json: () => body });

test("smoke: an error passes only if it names the limit that the page exceeds", () => {
  const named = answer(422, { code: "TARGET_TOO_LARGE", details: { limit: ["workers"] } });
  expect(namedLimit(named, "workers")).toBe("TARGET_TOO_LARGE: workers");
  const timedOut = answer(504, { code: "CAPTURE_TIMEOUT", details: { phase: ["settle"] } });
  expect(() => namedLimit(timedOut, "workers")).toThrow("The error is CAPTURE_TIMEOUT, which doesn't name the limit");
  expect(() =>
    namedLimit(answer(422, { code: "TARGET_TOO_LARGE", details: { limit: ["requests"] } }), "workers"),
  ).toThrow();
  expect(() => namedLimit(answer(200, {}), "workers")).toThrow("The page was captured.");
});
