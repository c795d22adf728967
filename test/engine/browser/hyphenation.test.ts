// Hyphenation: `hyphens: auto` in PDFs and images, in the languages for which there are patterns.
import { expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode } from "../../fixtures/png.ts";
import { captureWith } from "../../support/chromium.ts";

/** Words with all places at which the patterns of their language divide them. */
const words: readonly [language: string, word: string][] = [
  ["en", "un-char-ac-ter-is-tic"],
  ["en", "project"],
  ["en", "ta-ble"],
  ["en-GB", "in-com-pre-hens-ible"],
  ["de", "Do-nau-dampf-schiff-fahrts-ge-sell-schaft"],
  ["de", "STRA-ẞEN-BAHN"],
  ["fr", "in-com-pré-hen-sible"],
  ["sv", "järn-vägs-sta-tion"],
  ["nb", "jern-bane-sta-sjon"],
  ["ru", "непо-сти-жи-мый"],
  ["el", "ακα-τα-νό-ητος"],
  ["hu", "ért-he-tet-len"],
  ["fi", "kä-sit-tä-mä-tön"],
  ["hi", "अन्त-र्रा-ष्ट्रीय"],
  ["cs", "nepochopitelný"],
];

test("hyphens: words are divided where the patterns of their language say so, and not in languages without patterns", async () => {
  const paragraphs = words.map(([language, word]) => `<p lang="${language}">${word.replaceAll("-", "")}</p>`);
  const html = `<style>p { hyphens: auto; width: 1px; margin: 0 0 40px }</style>${paragraphs.join("")}`;
  const { texts } = readPdf((await captureWith({ html, format: "pdf" })).body);
  const found = texts.join(" ").replaceAll(/[-‐] /g, "-").split(" ");
  expect(found).toEqual(words.map(([, word]) => word));
});

test.each([
  ["de", "Donaudampfschifffahrtsgesellschaft"],
  ["en", "incomprehensibilities internationalization"],
])("hyphens: words stay in their column in an image: %s", async (language, text) => {
  const paragraph = (hyphens: string) => `<p style="hyphens: ${hyphens}">${text}</p>`;
  const html = (hyphens: string) =>
    `<html lang=${language}><style>body { margin: 0; font: 20px Arimo; width: 110px }</style>${paragraph(hyphens)}`;
  const inkBeyond = async (hyphens: string) => {
    const { body } = await captureWith({ html: html(hyphens), viewport_width: 400, viewport_height: 300 });
    const { width, height, colourAt } = await decode(body);
    let count = 0;
    for (let x = 112; x < width; x++) for (let y = 0; y < height; y++) if ((colourAt(x, y)[0] ?? 255) < 128) count++;
    return count;
  };
  expect(await inkBeyond("auto")).toBe(0);
  expect(await inkBeyond("manual")).toBeGreaterThan(20);
});
