// The scripts that run in pages: their size, and how they stand up to a page that gets in their way.

import { globSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, test } from "vitest";
import { contentToShowInPage } from "../../../lib/engine/formats/screenshot/blank-image.ts";
import type { ScriptName } from "../../../lib/engine/page/build-injected-scripts.ts";
import { buildInjectedScripts } from "../../../lib/engine/page/build-injected-scripts.ts";
import { areTransparentInPage, findElementsInPage } from "../../../lib/engine/page/elements.ts";
import { neutraliseFixedInPage } from "../../../lib/engine/page/fixed-elements.ts";
import { callIsolated, evaluateInIsolatedWorld } from "../../../lib/engine/page/isolated-world.ts";
import { canShowMoreInPage } from "../../../lib/engine/page/load-conditions.ts";
import { nextFrameInPage } from "../../../lib/engine/page/next-frame.ts";
import { pageFunction, parseResult } from "../../../lib/engine/page/page-function.ts";
import { scrollBackInPage, scrollIntoViewInPage } from "../../../lib/engine/pipeline/steps/click.ts";
import { openPage } from "../../support/open-page.ts";

const scripts = buildInjectedScripts();

test.each<[ScriptName, number]>([
  ["core", 14_000],
  ["documents", 34_000],
  ["fullPage", 42_000],
  ["layout", 29_000],
  ["movement", 8_000],
  ["overlays", 20_000],
  ["printing", 25_000],
])("page scripts: '%s' stays below %d characters, since each document parses it", (name, maxCharacters) => {
  expect(scripts[name].length).toBeLessThan(maxCharacters);
});

/** The page functions that the engine declares, as they are written in its source. */
const declared = globSync("lib/engine/**/*.ts").flatMap((file) => {
  const source = readFileSync(file, "utf8");
  const declarations = source.matchAll(
    /const (\w+): PageFunction<typeof \w+\.(\w+)> = pageFunction\(\s*"(\w+)",\s*"(\w+)"/g,
  );
  return [...declarations].map(([, identifier, type, script, name]) => ({ file, identifier, type, script, name }));
});

test("page functions: all are declared in the same form", () => {
  const calls = globSync("lib/engine/**/*.ts").flatMap(
    (file) => readFileSync(file, "utf8").match(/= pageFunction\(/g) ?? [],
  );
  expect(declared.length).toBeGreaterThan(50);
  expect(declared).toHaveLength(calls.length);
});

test("page functions: each is declared once, as the function of that name in its script", async () => {
  await using page = await openPage("<!doctype html>");
  const tab = await page.capturing.session.page();
  const found: Record<string, unknown> = {};
  for (const script of new Set(declared.map((each) => each.script as ScriptName))) {
    const types = "Object.fromEntries(Object.entries(script).map(([name, value]) => [name, typeof value]))";
    found[script] = await tab.evaluate(`((script) => ${types})(${scripts[script]})`);
  }
  for (const { script = "", name = "", type } of declared) {
    expect(type).toBe(name);
    expect(found).toHaveProperty([script, name], "function");
  }
  const names = declared.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test("page functions: types refuse an unknown name, the script of another function and the schema of another result", () => {
  // @ts-expect-error: misspelt
  expect(pageFunction("core", "nextFram")).toMatchObject({ name: "nextFram" });
  // @ts-expect-error: it is in `core`
  expect(pageFunction("layout", "nextFrame", { waitsFor: "frames" })).toMatchObject({ script: "layout" });
  // @ts-expect-error: it returns a boolean
  expect(pageFunction("core", "canShowMore", { result: v.string() })).toMatchObject({ script: "core" });
  // @ts-expect-error: it returns a boolean
  expect(pageFunction("core", "canShowMore")).toMatchObject({ script: "core" });
});

test("page scripts: isolated from scripts of the page that replace what they call", async () => {
  await using page = await openPage(`<!doctype html><p>Text</p><script>
    Document.prototype.querySelectorAll = Element.prototype.getBoundingClientRect = () => { throw new Error("replaced") };
    globalThis.layoutScript = { findElements: () => { throw new Error("replaced") } };
  </script>`);
  const found = await evaluateInIsolatedWorld(page.capturing, findElementsInPage, ["p"], "all", false, 0);
  expect(found).toMatchObject({ invalid: null, areas: [{ height: expect.any(Number) }] });
});

test("page scripts: work in a page whose elements have the names of globals and of the document's properties", async () => {
  const names = [
    "coreScript",
    "layoutScript",
    "querySelectorAll",
    "scrollingElement",
    "body",
    "documentElement",
    "fonts",
    "images",
  ];
  const elements = names.map((name) => `<form id="${name}" name="${name}"><input name="shadowRoot"></form>`).join("");
  await using page = await openPage(`<!doctype html>${elements}<p>Text</p>`);
  const { capturing } = page;
  const found = await evaluateInIsolatedWorld(capturing, findElementsInPage, ["p"], "all", false, 0);
  expect(found).toMatchObject({ invalid: null, areas: [{ height: expect.any(Number) }] });
  expect(await evaluateInIsolatedWorld(capturing, contentToShowInPage, 1_000)).toEqual({
    hasContent: true,
    canChange: false,
  });
  await evaluateInIsolatedWorld(capturing, neutraliseFixedInPage);
});

test("page scripts: keep their state when another session of the same page installs them", async () => {
  await using page = await openPage(`<!doctype html><p style="margin-top: 5000px">Text</p>`);
  const { capturing } = page;
  const tab = await capturing.session.page();
  await evaluateInIsolatedWorld(capturing, scrollIntoViewInPage, "p");
  expect(await tab.evaluate("scrollY")).toBeGreaterThan(0);
  const other = await capturing.session.attach();
  await other.send("Page.enable");
  expect(await callIsolated(other, areTransparentInPage, "p", false)).toBe(false);
  await evaluateInIsolatedWorld(capturing, scrollBackInPage);
  expect(await tab.evaluate("scrollY")).toBe(0);
});

test("page scripts: results are refused that a script does not return", () => {
  expect(parseResult(canShowMoreInPage, true)).toBe(true);
  expect(parseResult(nextFrameInPage, "ignored")).toBeUndefined();
  expect(() => parseResult(canShowMoreInPage, "true")).toThrow("invalid result of 'canShowMore'");
});
