// The language of what Chromium writes itself: form fields, and the date in PDF templates.
import { expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { sampled } from "../../support/slow-run.ts";
import { startSmallCaptures } from "../../support/small-captures.ts";

const { captureOf } = startSmallCaptures();

const form = `<!doctype html><input type=date value=2026-03-04> <input type=month value=2026-03> <input type=time value=13:00>
  <input type=number value=1234.5> <p></p><script>document.querySelector("p").append(new Date(2026, 2, 4).toLocaleDateString())</script>`;

sampled(test, 12).each([
  ["en-US", /03\/04\/2026 March 2026 01:00 PM 1234\.5 3\/4\/2026 .*\d+\/\d+\/\d\d/],
  ["de-DE", /04\.03\.2026 März 2026 13:00 1234,5 4\.3\.2026 .*\d\d\.\d\d\.\d\d/],
  ["ja", /2026\/03\/04 2026年0?3月 13:00 1234\.5 2026\/3\/4 .*\d{4}\/\d+\/\d+/],
])("locale: form fields and the date of a PDF's footer are written as in %s", async (locale, text) => {
  const { body } = await captureOf(form, {
    format: "pdf",
    locale,
    pdf_footer_template: "<p>&nbsp;<span class=date></span></p>",
  });
  expect(readPdf(body).texts[0]).toMatch(text);
});
