// What the error of a timeout advises: only what helps at this step, and is not set already.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { planCapture } from "../../../lib/engine/pipeline/plan/plan.ts";
import type { AnyStep } from "../../../lib/engine/pipeline/step.ts";
import { timeoutAdvice } from "../../../lib/engine/pipeline/timeout-advice.ts";
import { TimeoutError } from "../../../lib/engine/timing/timeout-error.ts";

const advice = (name: string | undefined, sent: object = {}, limit?: "navigation_timeout") => {
  const options = parseCaptureOptions({ url: "https://example.com", ...sent });
  const { navigate, ready, capture } = planCapture(options);
  const step = [navigate, ...ready, ...capture].findLast((each: AnyStep) => each.name === name);
  expect(step?.name).toBe(name);
  return timeoutAdvice(options, step, new TimeoutError("", limit ? { limit } : {}));
};

describe("timeout advice:", () => {
  test.each<[string, string[], string | undefined, object, "navigation_timeout"?]>([
    ["a slow server", ["raise navigation_timeout"], "navigate", { navigation_timeout: 1 }, "navigation_timeout"],
    ["a server at the longest navigation_timeout", [], "navigate", {}, "navigation_timeout"],
    ["a server that is too slow for timeout", ["raise timeout"], "navigate", { timeout: 1 }],
    [
      "a page that loads",
      ["raise timeout", "wait for less with wait_until", "set on_timeout=capture"],
      "wait-for-load",
      {},
    ],
    [
      "a page that has wait_until=domcontentloaded",
      ["raise timeout", "set on_timeout=capture"],
      "wait-for-load",
      { wait_until: "domcontentloaded" },
    ],
    [
      "a page that has on_timeout=capture",
      ["raise timeout", "wait for less with wait_until"],
      "wait-for-load",
      { on_timeout: "capture" },
    ],
    [
      "the longest timeout",
      ["wait for less with wait_until", "set on_timeout=capture"],
      "wait-for-load",
      { timeout: 90 },
    ],
    [
      "the load after scripts",
      ["raise timeout", "wait for less with scripts_wait_until", "set on_timeout=capture"],
      "wait-for-load",
      { wait_until: "load", scripts: ["1"], scripts_wait_until: "load" },
    ],
    ["a PDF", ["raise timeout", "wait for less with wait_until"], "wait-for-load", { format: "pdf" }],
    [
      "a deterministic capture",
      [
        "raise timeout",
        "wait for less with wait_until",
        "capture without deterministic (real time shortens none of its waits)",
      ],
      "wait-for-load",
      { deterministic: true },
    ],
    [
      "an element",
      ["raise timeout", "check wait_for_selector", "set on_timeout=capture"],
      "wait-for-selector",
      { wait_for_selector: "p" },
    ],
    [
      "an expression",
      ["raise timeout", "check wait_for_expression", "set on_timeout=capture"],
      "wait-for-expression",
      { wait_for_expression: "true" },
    ],
    ["a video", ["lower video_duration"], "record-video", { format: "mp4" }],
    ["the browser", ["raise timeout"], undefined, {}],
  ])("of %s: %j", (_, expected, step, sent, limit) => {
    expect(advice(step, sent, limit)).toEqual(expected);
  });
});
