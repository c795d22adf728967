import { describe, expect, test } from "vitest";
import { parsePageRanges } from "../../../../lib/contract/options/values/page-ranges.ts";
import { paperFormats, parseLength, parseMargins } from "../../../../lib/contract/options/values/paper.ts";
import { templateProblem } from "../../../../lib/contract/options/values/pdf-template.ts";

const points = (inches: number) => Math.round(inches * 72 * 100) / 100;

test.each([
  ["a0", 2383.94, 3370.39],
  ["a1", 1683.78, 2383.94],
  ["a2", 1190.55, 1683.78],
  ["a3", 841.89, 1190.55],
  ["a4", 595.28, 841.89],
  ["a5", 419.53, 595.28],
  ["a6", 297.64, 419.53],
  ["letter", 612, 792],
  ["legal", 612, 1008],
  ["tabloid", 792, 1224],
  ["ledger", 1224, 792],
] as const)("%s measures %d × %d points", (format, width, height) => {
  const paper = paperFormats[format];
  expect([points(paper.width), points(paper.height)]).toEqual([width, height]);
});

describe("paper: lengths", () => {
  test.each<[string | number, number]>([
    ["1in", 1],
    ["2.54cm", 1],
    ["25.4mm", 1],
    ["72pt", 1],
    ["6pc", 1],
    ["96px", 1],
    ["96", 1],
    [96, 1],
    [0, 0],
    ["0", 0],
    [".5in", 0.5],
    [" 1 IN ", 1],
  ])("%j is %d inches", (length, inches) => {
    expect(parseLength(length)).toBeCloseTo(inches, 10);
  });

  test.each([
    "",
    "cm",
    "-1cm",
    -1,
    "1em",
    "1%",
    "1cm 2cm",
    "1e3",
    "1e3px",
    "0x10",
    "1.",
    "calc(1cm)",
    Number.NaN,
    "Infinity",
    Number.POSITIVE_INFINITY,
    `${"9".repeat(400)}`,
    "1toString",
  ])("%j is not a length", (length) => {
    expect(parseLength(length)).toBeUndefined();
  });
});

describe("paper: margins", () => {
  test.each<[string | number, number[]]>([
    ["1in", [1, 1, 1, 1]],
    ["1in 2in", [1, 2, 1, 2]],
    ["1in 2in 3in", [1, 2, 3, 2]],
    ["1in 2in 3in 4in", [1, 2, 3, 4]],
    ["  96px   0 ", [1, 0, 1, 0]],
    [48, [0.5, 0.5, 0.5, 0.5]],
  ])("%j are %j clockwise from the top", (shorthand, [top, right, bottom, left]) => {
    expect(parseMargins(shorthand)).toEqual({ top, right, bottom, left });
  });

  test.each(["", "auto", "1in auto", "1in,2in", "1in 1in 1in 1in 1in", "-1in"])("%j are not margins", (shorthand) => {
    expect(parseMargins(shorthand)).toBeUndefined();
  });
});

describe("PDF page ranges", () => {
  test.each([
    ["1", [{ first: 1, last: 1 }]],
    [
      "1-5,8",
      [
        { first: 1, last: 5 },
        { first: 8, last: 8 },
      ],
    ],
    ["3-", [{ first: 3 }]],
    ["-2", [{ first: 1, last: 2 }]],
    [
      " 1 - 2 , 4 ",
      [
        { first: 1, last: 2 },
        { first: 4, last: 4 },
      ],
    ],
  ])("%j are parsed", (list, ranges) => {
    expect(parsePageRanges(list)).toEqual(ranges);
  });

  test.each(["", "-", "0", "0-3", "3-1", "1,,2", "1,", "1-2-3", "one", "1.5", "1;2", "123456", "1\n\n,"])(
    "%j are not margins",
    (list) => {
      expect(parsePageRanges(list)).toBeUndefined();
    },
  );
});

describe("PDF templates", () => {
  test.each([
    "<span class=pageNumber></span> of <span class=totalPages></span>",
    `<style>.a { color: red; background: url(data:image/png;base64,AA==) }</style><p class="a">\\2014 x`,
    `<img src="data:image/png;base64,AA==" alt="">`,
    `<svg><defs><filter id="f"></filter></defs><rect filter="url(#f)"/><use href="#a"/></svg>`,
    `<a href="https://example.com">link</a>`,
    `<img alt="">`,
  ])("accept HTML that loads no resources: %s", (template) => {
    expect(templateProblem(template)).toBeUndefined();
  });

  test.each([
    ["<script>1</script>", "script"],
    [`<LINK rel=stylesheet href="https://a.test/">`, "<link>"],
    [`<style>@import "https://a.test/"</style>`, "@import"],
    [`<style>@\\69mport "https://a.test/"</style>`, "@import"],
    [`<style>@font-face { src: url( 'https://a.test/f' ) }</style>`, "url()"],
    [`<p style="filter:URL(//a.test/f.svg#f)">`, "url()"],
    [`<p style="filter:\\75 rl(https://a.test/f.svg#f)">`, "url()"],
    [`<p style="filter:&#x75;rl(https://a.test/f.svg#f)">`, "url()"],
    [`<p style="filter:url(data.svg#f)">`, "url()"],
    [`<img width=1 src=https://a.test/>`, "image"],
    [`<img srcset="logo.png 2x">`, "image"],
    [`<image xlink:href='logo.png'>`, "image"],
    [`<iframe src="https://a.test/">`, "document"],
  ])("reject HTML that would load a resource: %s", (template, said) => {
    expect(templateProblem(template)).toContain(said);
  });
});
