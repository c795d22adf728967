// HORIZONTAL_OVERFLOW: content beyond the right edge of the window.
import { expect, test } from "vitest";
import { judgedCodesOf, judgedProblemOf, problemOf, prose } from "../../../support/problems.ts";

const whole = { full_page: true };

test.each([
  ["an element", "<div class=wide style='width:900px;height:40px;background:teal'></div>", "div.wide"],
  [
    "a text",
    "<p class=code style='white-space:nowrap'>find . -type f -name '*.jpg' -newermt 2026-01-01 -exec exiftool -d '%Y/%m/%d' and so on and so forth</p>",
    "p.code",
  ],
])("%s that is wider than the window is named", async (_, html, selector) => {
  const { evidence, fix, message } = await problemOf(
    "HORIZONTAL_OVERFLOW",
    `<h1>A lighthouse</h1>${html}${prose}`,
    whole,
  );
  expect(evidence.selector).toBe(selector);
  expect(message).toContain("beyond the window of 640 pixels");
  expect(Number(fix?.["viewport_width"])).toBeGreaterThan(640);
});

const table = `<table style="white-space:nowrap"><tr>${"<td>Ernte und mehr</td>".repeat(14)}</tr></table>`;

test.each([
  ["that the page scrolls to", table],
  ["that the window cuts off", `<style>html, body { overflow-x: hidden }</style>${table}`],
])("a wide table %s is named", async (_, html) => {
  const { evidence, fix } = await judgedProblemOf("HORIZONTAL_OVERFLOW", `<h1>Ernte</h1>${html}${prose}`, whole);
  expect(evidence.selector).toBe("table");
  expect(Number(fix?.["viewport_width"])).toBeGreaterThan(640);
});

test.each([
  [
    "a carousel that is clipped",
    "<div style='overflow:hidden'><div style='width:2000px;height:40px;background:teal'></div></div>",
    whole,
  ],
  ["a picture of the window", "<div style='width:900px;height:40px;background:teal'></div>", {}],
])("%s has none", async (_, html, options) => {
  expect(await judgedCodesOf(`<h1>A lighthouse</h1>${html}${prose}`, options)).toEqual([]);
});
