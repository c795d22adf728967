// The scripts that run in pages: their size, and how they stand up to a page that gets in their way.
import { expect, test } from "vitest";
import type { ScriptName } from "../../../lib/engine/page/build-injected-scripts.ts";
import { buildInjectedScripts } from "../../../lib/engine/page/build-injected-scripts.ts";
import { parseResult } from "../../../lib/engine/page/isolated-results.ts";
import { callIsolated, evaluateInIsolatedWorld } from "../../../lib/engine/page/isolated-world.ts";
import { openPage } from "../../support/open-page.ts";

const scripts = buildInjectedScripts();

test.each<[ScriptName, number]>([
  ["core", 13_000],
  ["documents", 20_000],
  ["fullPage", 48_000],
  ["layout", 29_000],
  ["overlays", 20_000],
])("page scripts: '%s' stays below %d characters, since each document parses it", (name, maxCharacters) => {
  expect(scripts[name].length).toBeLessThan(maxCharacters);
});

test("page scripts: isolated from scripts of the page that replace what they call", async () => {
  await using page = await openPage(`<!doctype html><p>Text</p><script>
    Document.prototype.querySelectorAll = Element.prototype.getBoundingClientRect = () => { throw new Error("replaced") };
    globalThis.layoutScript = { findElements: () => { throw new Error("replaced") } };
  </script>`);
  const found = await evaluateInIsolatedWorld(page.capturing, "findElements", ["p"], "all", false, 0);
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
  const found = await evaluateInIsolatedWorld(capturing, "findElements", ["p"], "all", false, 0);
  expect(found).toMatchObject({ invalid: null, areas: [{ height: expect.any(Number) }] });
  expect(await evaluateInIsolatedWorld(capturing, "contentToShow", 1_000)).toEqual({
    hasContent: true,
    canChange: false,
  });
  await evaluateInIsolatedWorld(capturing, "neutraliseFixed");
});

test("page scripts: keep their state when another session of the same page installs them", async () => {
  await using page = await openPage(`<!doctype html><p style="margin-top: 5000px">Text</p>`);
  const { capturing } = page;
  const tab = await capturing.session.page();
  await evaluateInIsolatedWorld(capturing, "scrollIntoView", "p");
  expect(await tab.evaluate("scrollY")).toBeGreaterThan(0);
  const other = await capturing.session.attach();
  await other.send("Page.enable");
  expect(await callIsolated(other, "areTransparent", "p", false)).toBe(false);
  await evaluateInIsolatedWorld(capturing, "scrollBack");
  expect(await tab.evaluate("scrollY")).toBe(0);
});

test("page scripts: results are refused that a script does not return", () => {
  expect(parseResult("pointOver", { x: 1, y: 2 })).toEqual({ x: 1, y: 2 });
  expect(parseResult("nextFrame", "ignored")).toBeUndefined();
  expect(() => parseResult("pointOver", { x: "1", y: 2 })).toThrow("invalid result of 'pointOver'");
});
