// PDF options become print settings.
import { expect, test } from "vitest";
import { parseCaptureOptions } from "../../../../lib/contract/options/capture-options.ts";
import { createPdfSettings } from "../../../../lib/engine/formats/pdf/pdf-settings.ts";

const settingsOf = (options: object) =>
  createPdfSettings(parseCaptureOptions({ url: "https://example.com", format: "pdf", ...options }));

test("pdf settings: an omitted margin keeps its default", () => {
  expect(settingsOf({}).margin).toStrictEqual({});
  expect(settingsOf({ pdf_margin_top: "1in" }).margin).toStrictEqual({ top: 1 });
});

test.each<[object, boolean]>([
  [{}, false],
  [{ pdf_margin: "1in" }, false],
  [{ pdf_paper_format: "a4" }, true],
  [{ pdf_paper_width: "5in", pdf_paper_height: "5in" }, true],
  [{ pdf_landscape: false }, true],
])("pdf settings: knows whether the caller chose the paper: %j", (options, isPaperExplicit) => {
  expect(settingsOf(options)).toMatchObject({ isPaperExplicit });
});

test("pdf settings: the margin of a side overrides the one of all sides", () => {
  const { margin } = settingsOf({ pdf_margin: "1in", pdf_margin_left: "2in" });
  expect(margin).toStrictEqual({ top: 1, right: 1, bottom: 1, left: 2 });
});
