import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { debugCapture } from "../../../lib/tools/debug/debug-capture.ts";
import { decode } from "../../fixtures/png.ts";

const output = mkdtempSync(join(tmpdir(), "debug-capture-"));
afterAll(() => rmSync(output, { recursive: true }));
const settings = { output, allow: [], keepsProfile: true };

test("debug: keeps the result, the times of the steps in order, a trace of the page, and the profile", async () => {
  const html = "<body style='background:#00ff00'><script>performance.mark('from the page')</script>Green";

  const { outcome, steps, files, problems } = await debugCapture({ html, viewport_width: 320 }, settings);

  expect(problems).toEqual([]);
  expect(outcome).toMatchObject({ format: "png", warnings: [] });
  const names = ["trace.json", "profile", "result.png", "result-facts.json", "steps.json"];
  expect(files).toEqual(names.map((name) => join(output, name)));
  const image = await decode(readFileSync(join(output, "result.png")));
  expect([image.width, image.colourAt(5, 5)]).toEqual([320, [0, 255, 0]]);
  const stepNames = steps.map(({ name }) => name);
  expect(stepNames.filter((name) => ["emulate", "write-html", "wait-for-load", "screenshot"].includes(name))).toEqual([
    "emulate",
    "write-html",
    "wait-for-load",
    "screenshot",
  ]);
  expect(steps.every(({ startedMs, durationMs }) => startedMs >= 0 && durationMs >= 0)).toBe(true);
  const { traceEvents } = JSON.parse(readFileSync(join(output, "trace.json"), "utf8"));
  expect(traceEvents).toContainEqual(expect.objectContaining({ cat: "blink.user_timing", name: "from the page" }));
  expect(existsSync(join(output, "profile/Default"))).toBe(true);
});

test("debug: a capture that fails returns its error, and keeps what led to it", async () => {
  const failing = { html: "<p>Empty</p>", scripts: "throw new Error('in the page')" };

  const { outcome, steps, files } = await debugCapture(failing, { ...settings, keepsProfile: false });

  expect(outcome).toMatchObject({ code: "SCRIPT_FAILED" });
  expect(steps.at(-1)).toMatchObject({ phase: "settle", name: "run-scripts" });
  expect(files).toEqual([join(output, "trace.json"), join(output, "steps.json")]);
});
