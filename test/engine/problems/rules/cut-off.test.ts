// CUT_OFF: content that a picture of a whole page, or of an element, does not show.
import { describe, expect, test } from "vitest";
import { captureHtml, codesOf, judgedCodesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled } from "../../../support/slow-run.ts";

describe("content is cut off", () => {
  sampled(test, 4).each([
    ["by a fixed height", `<div style="height:90px;overflow:hidden">${prose}${prose}</div>`],
    [
      "after some lines",
      `<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden">${"A mill that grinds again. ".repeat(30)}</div>`,
    ],
    ["by a text field", `<textarea rows=4 cols=40>${"A licence of many words. ".repeat(40)}</textarea>`],
    ["by a frame", `<iframe style="height:120px;width:100%" srcdoc="${prose.repeat(2)}"></iframe>`],
  ])("%s", async (_, html) => {
    expect(
      await judgedCodesOf(`<h1>A lighthouse</h1>${html}${prose}`, {
        full_page: true,
        full_page_expand_overflow: false,
      }),
    ).toContain("CUT_OFF");
  });

  test("by the greatest height of a picture, which is a warning, too", async () => {
    const tall = `<h1>A lighthouse</h1>${prose.repeat(30)}`;
    const { problems, warnings } = await captureHtml(tall, { full_page: true, full_page_max_height: 600 });
    const cut = problems.find(({ code }) => code === "CUT_OFF");
    expect(warnings).toEqual([cut?.message]);
    expect(Number(cut?.fix?.["full_page_max_height"])).toBeGreaterThan(600);
  });

  test("with a style that shows it", async () => {
    const { fix } = await problemOf(
      "CUT_OFF",
      `<main><div class=more style="height:90px;overflow:hidden">${prose}${prose}</div></main>`,
      { selector: "main" },
    );
    expect(fix?.["styles"]).toEqual([expect.stringContaining("div.more { height: auto")]);
  });
});

test.each([
  [
    "cards that show two lines each",
    `${`<div style="width:200px"><p class=two style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden">${"A mill that grinds again. ".repeat(8)}</p></div>`.repeat(4)}${prose}`,
  ],
  ["what a closed accordion hides", `<details><summary>Opening hours</summary>${prose}</details>${prose}`],
])("%s are not cut off", async (_, html) => {
  expect(await codesOf(`<h1>A lighthouse</h1>${html}`, { full_page: true })).toEqual([]);
});

test("what a box hides is not named as cut off by the body", async () => {
  const clipped = `<div class=pane style="height:200px;overflow:hidden"><div style="position:relative;top:900px">${prose}</div></div>`;
  const { evidence } = await problemOf("CUT_OFF", `<h1>A lighthouse</h1>${clipped}`, { full_page: true });
  expect(evidence.selector).toBe("div.pane");
});

test("a picture of the window is cut off by nature", async () => {
  expect(await judgedCodesOf(`<h1>A lighthouse</h1><div style="height:90px;overflow:hidden">${prose}</div>`)).toEqual(
    [],
  );
});
