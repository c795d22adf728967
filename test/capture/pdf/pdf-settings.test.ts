// How the options of a pdf become the settings of the print.
import { expect, test } from "vitest";
import { pdfSettings } from "../../../lib/capture/pdf/pdf-settings.ts";
import { parseCaptureOptions } from "../../../lib/contract/capture-options.ts";

const settingsOf = (options: object) =>
  pdfSettings(parseCaptureOptions({ url: "https://example.com", format: "pdf", ...options }));

test("leaves a margin that nobody asked for to the default", () => {
  expect(settingsOf({}).margin).toStrictEqual({});
  expect(settingsOf({ pdf_margin_top: "1in" }).margin).toStrictEqual({ top: 1 });
});

test("prefers the margin of a side to that of all", () => {
  const { margin } = settingsOf({ pdf_margin: "1in", pdf_margin_left: "2in" });
  expect(margin).toStrictEqual({ top: 1, right: 1, bottom: 1, left: 2 });
});
