// Devices by name and slug, and that their list is all that comes with them.
import { join } from "node:path";
import { build } from "esbuild";
import { KnownDevices } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../../lib/contract/options/capture-options.ts";
import { closestName } from "../../../../lib/contract/options/values/closest-name.ts";
import { deviceNames, deviceSlugs, findDevice } from "../../../../lib/contract/options/values/devices.ts";
import { apiErrorOf } from "../../../support/builders.ts";

test.each(Object.entries(KnownDevices))("devices: puppeteer's %s is found by name and by slug", (name, known) => {
  const device = findDevice(name);
  expect(device).toEqual({
    name,
    slug: expect.stringMatching(/^[a-z0-9]+(_[a-z0-9]+)*$/),
    userAgent: known.userAgent,
    width: known.viewport.width,
    height: known.viewport.height,
    scale: known.viewport.deviceScaleFactor,
    mobile: true,
    touch: true,
  });
  expect(findDevice(device?.slug ?? "")).toBe(device);
});

test.each([
  ["iPhone 15 Pro", "iphone_15_pro"],
  ["IPHONE 15 pro LANDSCAPE", "iphone_15_pro_landscape"],
  ["iphone-15-pro", "iphone_15_pro"],
  [" Galaxy S9+ ", "galaxy_s9_plus"],
  ["iPad (gen 7)", "ipad_gen_7"],
  ["Pixel 4a (5G)", "pixel_4a_5g"],
  ["desktop", "desktop"],
  ["Tablet", "tablet"],
  ["MOBILE", "mobile"],
])("devices: %j means %s", (name, slug) => {
  expect(findDevice(name)?.slug).toBe(slug);
});

test.each(["", "+", "iphone", "iPhone 99", "__proto__", "constructor", "iphone_15_pro_".repeat(1_000_000)])(
  "knows no device of name number %#",
  (name) => {
    expect(findDevice(name)).toBeUndefined();
  },
);

test("devices: slugs are unique and in the order of names", () => {
  expect(new Set(deviceSlugs).size).toBe(deviceSlugs.length);
  expect(deviceNames.map((name) => findDevice(name)?.slug)).toEqual(deviceSlugs);
});

test("devices: a misspelled name is close to the right one", () => {
  expect(closestName("iphone_15_por", deviceSlugs)).toBe("iphone_15_pro");
});

describe("devices: the generic ones", () => {
  test.each([
    ["desktop", 1280, 1024, 1, false],
    ["tablet", 820, 1180, 2, true],
    ["mobile", 390, 844, 3, true],
  ])("%s is %i × %i at %i, handheld: %j", (name, width, height, scale, handheld) => {
    expect(findDevice(name)).toMatchObject({ width, height, scale, mobile: handheld, touch: handheld });
  });
});

test("devices: the bundle contains nothing else of puppeteer", async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, "../../../../lib/contract/options/values/devices.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs).map((path) => path.replace(/^.*node_modules\//, ""));
  expect(inputs.toSorted()).toEqual([
    "lib/contract/options/values/devices.ts",
    "puppeteer-core/lib/puppeteer/common/Device.js",
  ]);
});

describe("devices: an unknown name", () => {
  test.each([
    ["iphone_99", "iphone_17"],
    ["iPhone 16 Pro Maxx", "iPhone 16 Pro Max"],
    ["iPhone 3", "iphone_4"],
    ["pixel 9", "pixel_5"],
    ["galaxy_s20", "galaxy_s8"],
  ])("%s is answered with %s", (name, guess) => {
    const { message } = apiErrorOf(() => parseCaptureOptions({ url: "https://example.com", viewport_device: name }));
    expect(message).toContain(`did you mean '${guess}'?`);
  });
});
