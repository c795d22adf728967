// The layer with the filter lists.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseFilters } from "@ghostery/adblocker";
import { expect, test } from "vitest";
import { toAdblockSyntax } from "../../layers/blocking/adguard-syntax.ts";
import { buildBlockingLayer, builtLists } from "../../layers/blocking/build.ts";
import { limitToScope } from "../../layers/blocking/filter-selection.ts";
import type { Scope } from "../../layers/blocking/lists.ts";
import { purposes } from "../../lib/contract/options/filter-purposes.ts";

const layer = buildBlockingLayer();
const files = readdirSync(join(layer, "blocking"));

test("blocking layer: is smaller than 35 MB, to fit next to Chromium and the fonts", () => {
  const sizes = readdirSync(layer, { recursive: true }).map((path) => statSync(join(layer, String(path))).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(35e6);
});

test("blocking layer: has an engine for each purpose, and the licences of its sources", () => {
  expect(files).toEqual(expect.arrayContaining(purposes.map((purpose) => `${purpose}.engine`)));
  const licences = readdirSync(join(layer, "blocking/licences"));
  expect(licences).toEqual(expect.arrayContaining(["dnr-rulesets.txt"]));
  expect(readFileSync(join(layer, "blocking/licences/dnr-rulesets.txt"), "utf8")).toContain("GNU GENERAL PUBLIC");
});

test("blocking layer: has title, version and date of each list", () => {
  const lists = builtLists();
  expect([...new Set(lists.map(({ purpose }) => purpose))]).toEqual(purposes);
  expect(lists.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["AdGuard Base filter", "AdGuard German filter", "Chat bubbles"]),
  );
  for (const list of lists) {
    expect(list, list.title).toEqual({
      purpose: expect.any(String),
      title: expect.stringMatching(/^\S.*\S$/),
      version: expect.stringMatching(/^\d+(\.\d+)+$/),
      date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    });
  }
});

test("blocking layer: is built once per version", () => {
  expect(buildBlockingLayer()).toBe(layer);
});

test.each([
  ["a condition", "a.example#?#.box:contains(Ad)", "a.example##.box:has-text(Ad)"],
  ["a condition taken back", "a.example#@?#.box:-abp-has(> i)", "a.example#@#.box:has(> i)"],
  ["a style", "a.example#$#body { overflow: auto !important; }", "a.example##body:style(overflow: auto !important;)"],
  ["a style for all sites", "#$##wall { height: 0; }", "###wall:style(height: 0;)"],
  ["a style taken back", "a.example#@$#body{ top: 0; }", "a.example#@#body:style(top: 0;)"],
  ["a removal", "a.example#$?#.box:contains(Ad) { remove: true; }", "a.example##.box:has-text(Ad):remove()"],
  ["what is hidden simply", "a.example###box", "a.example###box"],
  ["what is not requested", "||ads.example^$script", "||ads.example^$script"],
])("blocking layer: converts %s to the syntax of the engine", (_, theirs, ours) => {
  expect(toAdblockSyntax(theirs)).toBe(ours);
});

test.each<[Scope, string[]]>([
  ["everything", ["/banner/*$image", "||ads.example^", "##.werbung", "##main > a[target]", "a.example##.box"]],
  ["names", ["/banner/*$image", "||ads.example^", "##.werbung", "a.example##.box"]],
  ["sites", ["||ads.example^", "a.example##.box"]],
])("blocking layer: takes from a list: %s", (scope, expected) => {
  const list = ["/banner/*$image", "||ads.example^", "##.werbung", "##main > a[target]", "a.example##.box"];
  const exceptions = ["@@/banner/own*", "#@#.werbung"];
  const parsed = parseFilters([...list, ...exceptions].join("\n"), { debug: true });
  const { networkFilters, cosmeticFilters } = limitToScope(scope, parsed);
  const taken = [...networkFilters, ...cosmeticFilters].map(({ rawLine }) => rawLine);
  expect(taken.toSorted()).toEqual([...expected, ...exceptions].toSorted());
});

test.each([
  ["holds for some paths only", "[$path=/shop]a.example##.box"],
  ["asks the window's size", "a.example#$#@media (width > 9px) { .box { top: 0; } }"],
  ["has a style the engine would garble", 'a.example#$#.box::before { content: "×"; }'],
])("blocking layer: omits a rule that %s", (_, rule) => {
  expect(toAdblockSyntax(`${rule}\r\n##.other`)).toBe("##.other");
});
