// What the website says of options and errors: samples that the contract accepts, fixes that name options, pictures, examples.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorFixes } from "../../lib/errors/error-fixes.ts";
import { parseCaptureOptions } from "../../lib/options/capture-options.ts";
import { captureOptionNames } from "../../lib/options/groups/all.ts";
import { optionSamples } from "../../lib/options/option-samples.ts";
import { effects } from "../../lib/site/effect-pictures.ts";
import { postmanExamples } from "../../lib/site/postman.ts";
import { preferredEncoding } from "../../lib/site/serve-site.ts";
import { type SearchEntry, search } from "../../web/search.ts";

const project = join(import.meta.dirname, "../..");

test("options: every option has a sample that the contract accepts", () => {
  expect(Object.keys(optionSamples).toSorted()).toEqual([...captureOptionNames].toSorted());
  for (const sample of Object.values(optionSamples)) {
    const hasInput = ["url", "html", "markdown"].some((name) => name in sample);
    expect(() => parseCaptureOptions({ ...(!hasInput && { url: "https://example.com" }), ...sample })).not.toThrow();
  }
});

test("errors: fixes name options that exist", () => {
  const known: readonly string[] = captureOptionNames;
  const named = Object.values(errorFixes).flatMap((fix) =>
    [...fix.matchAll(/`([a-z_]+)(?:=\w+)?`/g)].map(([, name = ""]) => name),
  );
  const others = ["details", "request_id"];
  expect(named.filter((name) => !known.includes(name) && !others.includes(name))).toEqual([]);
});

describe("pictures", () => {
  test("are of options, with values that the contract accepts", () => {
    for (const [name, { both = {}, effect }] of Object.entries(effects)) {
      expect(captureOptionNames).toContain(name);
      expect(() => parseCaptureOptions({ html: "x", ...withoutHtml(both), ...effect })).not.toThrow();
    }
  });

  test.each(Object.keys(effects))("%s has its picture (run `npm run pictures`)", (name) => {
    expect(existsSync(join(project, `web/pictures/option-${name}.webp`))).toBe(true);
  });
});

function withoutHtml({ html: _, markdown, ...others }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return markdown === undefined ? others : { html: undefined, markdown, ...others };
}

test("Postman collection: its captures are accepted by the contract", () => {
  const captures = postmanExamples.filter(({ path }) => path === "/api/v1/screenshot");
  expect(postmanExamples.length).toBeGreaterThanOrEqual(15);
  for (const { query, json } of captures)
    expect(() => parseCaptureOptions({ ...query, ...(json as object) })).not.toThrow();
});

describe("search", () => {
  const entries: SearchEntry[] = [
    ["/docs/guide/pdf", "PDF", "Paper and margins", "pdf_margin takes one to four lengths."],
    ["/docs/reference/options#pdf_margin", "Options", "pdf_margin", "Margins of the paper."],
    ["/docs/guide/video", "Video", "", "A video that scrolls."],
  ];
  const found = (query: string) => search(entries, query).map(([path]) => path);

  test("finds an option by its name first, however it is written", () => {
    expect(found("pdf_margin")[0]).toBe("/docs/reference/options#pdf_margin");
    expect(found("PDF margin")[0]).toBe("/docs/reference/options#pdf_margin");
  });

  test("needs every word", () => {
    expect(found("video margin")).toEqual([]);
    expect(found("scrolls video")).toEqual(["/docs/guide/video"]);
  });

  test("finds nothing for white space", () => {
    expect(found("  ")).toEqual([]);
  });
});

test.each([
  [undefined, undefined],
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["identity, *;q=0", undefined],
  ["BR ; q=1.0", "br"],
] as const)("content coding: Accept-Encoding %j gives %j", (header, coding) => {
  expect(preferredEncoding(header, ["br", "gzip"])).toBe(coding);
});
