// The search over options for models, and its samples.
import { expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { listOptions, searchOptions } from "../../../lib/service/mcp/option-search.ts";

/** The names of the options that were found. */
const names = (found: string) => [...found.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name);

test.each([
  ["cookie banner", "block_cookie_banners"],
  ["How do I hide elements?", "hide_selectors"],
  ["darkmode", "dark_mode"],
  ["wait for an element", "wait_for_selector"],
  ["PDF landscape", "pdf_landscape"],
  ["video duration", "video_duration"],
  ["time zone", "time_zone"],
])("option search: '%s' finds %s among the first three", (query, name) => {
  expect(names(searchOptions(query)).slice(0, 3)).toContain(name);
});

test("option search: says the values, the default, and the formats of an option", () => {
  const [line] = searchOptions("image_quality").split("\n");
  expect(line).toMatch(
    /^- `image_quality` \(0 to 100\): .* For images and videos only\. Default: 80\. Sample: `\{"image_quality":60,"format":"webp"\}`\.$/,
  );
});

test("option search: without a match, names the groups", () => {
  expect(searchOptions("xyzzy")).toMatch(/^No option matches\. Groups: Input \(/);
});

test("option reference: has every option, with a sample in JSON that the contract accepts", () => {
  const lines = listOptions()
    .split("\n")
    .filter((line) => line.startsWith("- `"));
  expect(names(listOptions()).toSorted()).toEqual([...captureOptionNames].toSorted());
  for (const line of lines) {
    const sample = JSON.parse(/Sample: `(\{.*\})`\.$/.exec(line)?.[1] ?? "");
    const hasInput = ["url", "html", "markdown"].some((name) => name in sample);
    expect(() => parseCaptureOptions({ ...(!hasInput && { url: "https://example.com" }), ...sample })).not.toThrow();
  }
});
