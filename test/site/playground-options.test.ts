// The options of the playground's form: those that come first, their help, and the search.
import { expect, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { formats } from "../../lib/contract/options/formats.ts";
import { captureOptionNames } from "../../lib/contract/options/groups/all.ts";
import { commonOptions } from "../../lib/site/web/playground/common-options.ts";
import { contract } from "../../lib/site/web/playground/contract.ts";
import { helpText } from "../../lib/site/web/playground/help-text.ts";
import { loadOtherWords, matchesQuery } from "../../lib/site/web/playground/option-search.ts";

const all = [...contract.reference.values()];

test.each(formats)("common options: for %s, ten to fourteen that exist, once each, and that apply to it", (format) => {
  const names = commonOptions(format);
  expect(names.length).toBeGreaterThanOrEqual(10);
  expect(names.length).toBeLessThanOrEqual(14);
  expect(new Set(names).size).toBe(names.length);
  expect(captureOptionNames).toEqual(expect.arrayContaining([...names]));
  expect(names.filter((name) => contract.reference.get(name)?.only && otherKind(name, format))).toEqual([]);
});

const otherKind = (name: string, format: string) => {
  const option = contract.reference.get(name);
  return option && contract.otherKind(option, { format });
};

test("common options: quality is offered where it has an effect, transparency where there is some", () => {
  expect(commonOptions("webp")).toContain("image_quality");
  expect(() => parseCaptureOptions({ url: "https://example.com", format: "webp", image_quality: 70 })).not.toThrow();
  expect(commonOptions("png")).toContain("omit_background");
  expect(commonOptions("png")).not.toContain("image_quality");
});

test("common options: a link with another format has those of an image", () => {
  expect(contract.common({ format: { toString: 1 } })).toEqual(contract.common({}));
  expect(contract.common({}).map(({ name }) => name)).toEqual(commonOptions("png"));
});

test("options: those of another kind of format say for which they are", () => {
  expect([otherKind("pdf_scale", "png"), otherKind("pdf_scale", "pdf"), otherKind("delay", "png")]).toEqual([
    "PDFs",
    undefined,
    undefined,
  ]);
});

test("help: every first sentence is whole, and the rest follows it", () => {
  for (const { description } of all) {
    const { first, rest } = helpText(description);
    expect(first).toMatch(/[.!?]$/);
    expect(first).not.toMatch(/[`…]/);
    expect(rest).toBe(rest.trim());
  }
  expect(helpText("Ends here. Says `more`, [too](x).")).toEqual({ first: "Ends here.", rest: "Says more, too." });
  expect(helpText("CSS 1.5 only").rest).toBe("");
});

test.each([
  ["full page", "full_page"],
  ["cookie banner", "block_cookie_banners"],
  ["FULL_PAGE", "full_page"],
  ["prefers-color-scheme", "dark_mode"],
])("search: '%s' finds %s", (query, name) => {
  expect(all.filter((option) => matchesQuery(option, query)).map((option) => option.name)).toContain(name);
});

test("search: the names of other services find an option once they are loaded", async () => {
  const find = (query: string, words?: Awaited<ReturnType<typeof loadOtherWords>>) =>
    all.filter((option) => matchesQuery(option, query, words)).map(({ name }) => name);
  expect(find("retina")).toEqual([]);
  const words = await loadOtherWords();
  expect(find("retina", words)).toEqual(["device_scale_factor"]);
  expect(find("thumb width", words)).toEqual(["image_width"]);
  expect(find("gpu", words)).toEqual([]);
});
