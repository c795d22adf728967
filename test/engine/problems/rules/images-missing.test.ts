// IMAGES_MISSING: images that failed or are loading, by the area that they would have.
import { describe, expect, test } from "vitest";
import { judgedCodesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled } from "../../../support/slow-run.ts";

const picture =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='200'%3E%3Crect width='300' height='200' fill='teal'/%3E%3C/svg%3E";
const missing = "https://missing.invalid/a.png";

describe("missing images", () => {
  sampled(test, 4).each([
    ["that failed", `<img src="${missing}" width=300 height=200>`],
    [
      "that have no size of their own",
      `<img src="${picture}"><img src="${picture}"><img src="${missing}" alt="A lighthouse">`,
    ],
    ["that a script was to load", `<img data-src="/a.png" style="width:300px;height:200px">`],
    ["of a background", `<div style="width:300px;height:200px;background:url(${missing})"></div>`],
  ])("%s are found", async (_, html) => {
    expect(await judgedCodesOf(`<h1>A lighthouse</h1>${prose}${html}`, { full_page: true })).toContain(
      "IMAGES_MISSING",
    );
  });

  test("weigh as much as the area that they lack", async () => {
    const half = `<img src="${picture}"><img src="${missing}" width=300 height=200>`;
    const all = `<img src="${missing}" width=300 height=200>`;
    const [first, second] = [await problemOf("IMAGES_MISSING", half), await problemOf("IMAGES_MISSING", all)];
    expect([first.severity, second.severity]).toEqual(["warning", "error"]);
    expect(first.evidence).toMatchObject({ count: 1, share: 0.5, urls: [missing] });
  });
});

test.each([
  ["images that are there", `<img src="${picture}">`],
  [
    "pixels that count visitors",
    `<img src="${picture}"><img src="${missing}" width=1 height=1><img src="https://missing.invalid/pixel.gif" style="display:none">`,
  ],
])("%s are not missing", async (_, html) => {
  expect(await judgedCodesOf(`<h1>A lighthouse</h1>${prose}${html}`)).toEqual([]);
});
