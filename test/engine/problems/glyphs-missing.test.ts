// Missing glyphs: the warning names how many characters no font can show, and their scripts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageFolder } from "../../../layers/fonts/families.ts";
import { missingGlyphsMessage } from "../../../lib/engine/problems/rules/glyphs-missing.ts";
import { captureWith } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";

const AHOM = "\u{11700}\u{11701}";
const KAWI = "\u{11f04}";

async function warningsOf(html: string, options: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const usual = { viewport_width: 320, viewport_height: 240 };
  const { warnings } = await captureWith({ html: `<!doctype html>${html}`, ...usual, ...options });
  return warnings;
}

const three = "3 characters have no glyph in any installed font (scripts: Ahom, Kawi).";
const one = "1 character has no glyph in any installed font (script: Kawi).";
const inWindow = `<p>Plain ${AHOM} and ${KAWI}</p>`;

describe("missing glyphs: text shown as empty boxes has a warning", () => {
  sampled(test, 16).each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ["in a picture of the window", inWindow, {}, three],
    ["in a picture of the whole page", `<p style="margin-top: 2000px">${KAWI}`, { full_page: true }, one],
    ["in a picture of an element", `${AHOM}<h1 style="margin-top: 99px">${KAWI}`, { selector: "h1" }, one],
    ["in a pdf", `<p style="margin-top: 2000px">${KAWI}`, { format: "pdf" }, one],
    ["in a video", inWindow, { format: "gif", video_duration: 1, video_fps: 1 }, three],
    ["without scripts", inWindow, { javascript: false }, three],
    [
      "in an open shadow root",
      `<div></div><script>document.querySelector("div").attachShadow({ mode: "open" }).append("${KAWI}")</script>`,
      {},
      one,
    ],
    [
      "in a page that has replaced what its scripts use",
      `<img name="createRange"><img name="createElement">${inWindow}
      <script>HTMLCanvasElement.prototype.getContext = Document.prototype.createTreeWalker = () => null</script>`,
      {},
      three,
    ],
    [
      "in a web font that lacks it",
      `<style>${webFont("V")}</style><p style="font-family: V">\u{11700} ${KAWI}`,
      {},
      one,
    ],
    ["of music", "<p>\u{1d11e}", {}, "1 character has no glyph in any installed font (script: symbols)."],
    [
      "of rare Chinese characters",
      "<p>\u{20000}\u{20001}",
      {},
      "2 characters have no glyph in any installed font (script: Han).",
    ],
  ])("%s", async (_, html, options, warning) => {
    expect(await warningsOf(html, options)).toEqual([warning]);
  });
});

describe("missing glyphs: no warning for", () => {
  const innocent = {
    "text that a web font of the page covers": `<style>${webFont("V")}</style><p style="font-family: V">\u{11700}`,
    "characters for private use, as icon fonts have": "<p>\ue123 \u{f0001} \u{10fffd}",
    "code points without a character": "<p>\u0378 \u{1171b} \u{1fbff} \ufffe \u{1ffff}",
    "invisible characters": "<p>a\u200b\u200d\u2060\u034f\ufe0f\u{e0100}\u{e0041}\u061c\ufeff\u{1d173} b",
    "Korean in single letters": "<p>\u1112\u1161\u11ab\u1100\u1173\u11af",
    "old Korean letters": "<p>\u1113\u1161",
    "emoji of several": "<p>👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇩🇪",
    "text that is not shown": `<p hidden>${KAWI}</p><p style="visibility: hidden">${KAWI}</p><template>${KAWI}</template>`,
    "scripts and style sheets": `<script>"${KAWI}"</script><style>/* ${KAWI} */</style>`,
    "text below the picture": `<p style="margin-top: 2000px">${KAWI}`,
  };

  test(Object.keys(innocent).join(", "), async () => {
    expect(await warningsOf(Object.values(innocent).join("</p>"))).toEqual([]);
  });

  test("a document without a screenshot", async () => {
    expect(await warningsOf(inWindow, { format: "text" })).toEqual([]);
  });
});

test("missing glyphs: many scripts are counted, and the most frequent are named", () => {
  const counts = new Map(["A", "B", "C", "D", "E", "F", "G"].map((name, index) => [name, index + 1]));
  expect(missingGlyphsMessage(counts)).toBe(
    "28 characters have no glyph in any installed font (scripts: G, F, E, D, C and 2 more).",
  );
});

/** A font of Ahom, as a page would bring it. */
function webFont(family: string): string {
  const path = join(packageFolder("@fontsource/noto-serif-ahom"), "files/noto-serif-ahom-ahom-400-normal.woff2");
  return `@font-face { font-family: ${family}; src: url(data:font/woff2;base64,${readFileSync(path, "base64")}) }`;
}
