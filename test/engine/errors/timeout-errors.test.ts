// The error of a capture whose time ran out, as a caller reads it.
import { describe, expect, test } from "vitest";
import { targetReport } from "../../../lib/engine/errors/target-report.ts";
import { captureTimeout } from "../../../lib/engine/errors/timeout-errors.ts";

const url = "https://example.com:8443/page";

describe("CAPTURE_TIMEOUT:", () => {
  const advice = "Raise timeout, wait for less with wait_until, or set on_timeout=capture.";

  test("names the phase and the pending requests", () => {
    expect(
      captureTimeout(
        {
          phase: "settle",
          awaited: "",
          pending: ["https://a.test/1"],
          advice: ["raise timeout", "wait for less with wait_until", "set on_timeout=capture"],
        },
        targetReport(url),
      ),
    ).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message: `The capture timed out in the phase 'settle'. 1 request was still pending; see details. ${advice}`,
      details: { phase: ["settle"], pending: ["https://a.test/1"] },
      target: targetReport(url),
    });
  });

  test("names what the capture was waiting for", () => {
    expect(
      captureTimeout(
        {
          phase: "settle",
          awaited: "'#a' to disappear",
          pending: [],
          advice: ["raise timeout", "wait for less with wait_until", "set on_timeout=capture"],
        },
        targetReport(url),
      ).message,
    ).toBe(`The capture timed out in the phase 'settle' while waiting for '#a' to disappear. ${advice}`);
  });

  test("lists ten requests at most and truncates long URLs", () => {
    const pending = Array.from({ length: 12 }, (_, n) => `https://a.test/${n}?${"x".repeat(300)}`);
    const shown =
      captureTimeout(
        {
          phase: "settle",
          awaited: "",
          pending: pending,
          advice: ["raise timeout", "wait for less with wait_until", "set on_timeout=capture"],
        },
        targetReport(url),
      ).details?.["pending"] ?? [];
    expect(shown).toHaveLength(11);
    expect(shown[0]).toMatch(/^https:\/\/a\.test\/0\?x+\.\.\.$/);
    expect(shown[0]).toHaveLength(200);
    expect(shown[10]).toBe("and 2 more");
  });

  test("joins two pieces of advice", () => {
    const overrun = {
      phase: "capture",
      awaited: "",
      pending: [],
      advice: ["raise timeout", "wait for less with wait_until"],
    };
    expect(captureTimeout(overrun, targetReport(url)).message).toBe(
      "The capture timed out in the phase 'capture'. Raise timeout or wait for less with wait_until.",
    );
  });

  test("mentions no requests when none are pending", () => {
    const { message, details } = captureTimeout(
      {
        phase: "capture",
        awaited: "",
        pending: [],
        advice: ["raise timeout", "wait for less with wait_until", "set on_timeout=capture"],
      },
      targetReport(null),
    );
    expect(message).not.toContain("pending");
    expect(details).toEqual({ phase: ["capture"], pending: [] });
  });

  test("says that nothing helps but a faster page, when nothing does", () => {
    const overrun = { phase: "navigate", awaited: "", pending: [], advice: [] };
    expect(captureTimeout(overrun, targetReport(url)).message).toBe(
      "The capture timed out in the phase 'navigate'. The times that you can set are at their maximum; the page has to respond sooner.",
    );
  });
});
