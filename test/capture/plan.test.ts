import { describe, expect, test } from "vitest";
import { phaseOf, plan } from "../../lib/capture/plan.ts";
import { parseCaptureOptions } from "../../lib/contract/capture-options.ts";

const url = "https://example.com/";
const stepsOf = (options: Readonly<Record<string, unknown>>) => plan(parseCaptureOptions(options));
const namesOf = (options: Readonly<Record<string, unknown>>) => stepsOf(options).map(({ name }) => name);
const stepOf = (name: string, options: Readonly<Record<string, unknown>>) =>
  stepsOf(options).find((step) => step.name === name);

test("a capture of an address, with nothing else asked for, is these steps", () => {
  expect(stepsOf({ url })).toEqual([
    { name: "emulate", width: 1280, height: 1024, scale: 1 },
    { name: "open-url", url, acceptErrorStatus: false },
    { name: "await-load", conditions: ["auto"] },
    { name: "confirm-document", acceptErrorStatus: false },
    { name: "frame-window" },
    { name: "shoot", format: "png", quality: 80, transparent: false },
    { name: "encode" },
  ]);
});

test("what has been asked for is in the steps", () => {
  const asked = {
    url,
    viewport_width: 800,
    viewport_height: 600,
    device_scale_factor: 2,
    dark_mode: true,
    wait_until: ["load", "networkidle2"],
    delay: 1.5,
    selector: "#a",
    format: "webp",
    image_quality: 0,
    omit_background: true,
    ignore_host_errors: true,
  };
  expect(stepsOf(asked)).toEqual([
    { name: "emulate", width: 800, height: 600, scale: 2, dark: true },
    { name: "open-url", url, acceptErrorStatus: true },
    { name: "await-load", conditions: ["load", "networkidle2"] },
    { name: "pause", seconds: 1.5 },
    { name: "confirm-document", acceptErrorStatus: true },
    { name: "frame-element", selector: "#a" },
    { name: "shoot", format: "webp", quality: 0, transparent: true },
    { name: "encode" },
  ]);
});

describe("the page", () => {
  test.each([
    ["url", { name: "open-url", url, acceptErrorStatus: false }, { url }],
    ["html", { name: "write-html", html: "<p>" }, { html: "<p>" }],
    ["markdown", { name: "write-markdown", markdown: "# A" }, { markdown: "# A" }],
  ])("comes from %s, in one step after the window is set up", (_, step, options) => {
    expect(stepsOf(options)[1]).toEqual(step);
  });
});

describe("dark_mode", () => {
  test.each([
    [true, { dark: true }],
    [false, { dark: false }],
  ])("%s is told to the page", (dark_mode, told) => {
    expect(stepOf("emulate", { url, dark_mode })).toMatchObject(told);
  });

  test("is not told when it is not asked for", () => {
    expect(stepOf("emulate", { url })).not.toHaveProperty("dark");
  });
});

describe("what is captured", () => {
  test.each([
    ["the window", "frame-window", {}],
    ["the page", "frame-page", { full_page: true }],
    ["an element", "frame-element", { selector: "#a" }],
  ])("is %s: %s", (_, name, options) => {
    expect(namesOf({ url, ...options }).filter((step) => step.startsWith("frame-"))).toEqual([name]);
  });
});

test("a document is confirmed again after every wait, before it is framed", () => {
  const names = namesOf({ url, delay: 1 });
  expect(names.slice(names.indexOf("pause"))).toEqual(["pause", "confirm-document", "frame-window", "shoot", "encode"]);
});

test("every step counts to a phase of the work on a page", () => {
  expect(new Set(Object.values(phaseOf))).toEqual(new Set(["browser", "navigate", "settle", "capture", "encode"]));
});
