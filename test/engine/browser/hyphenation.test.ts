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

test("hyphens: words stay in their column in an image, of each language", async () => {
  const texts = { de: "Donaudampfschifffahrtsgesellschaft", en: "incomprehensibilities internationalization" };
  const [column, height] = [110, 140];
  const columns = ["auto", "manual"].flatMap((hyphens) =>
    Object.entries(texts).map(([lang, text]) => ({ hyphens, lang, text })),
  );
  const html = `<style>body { margin: 0; font: 20px Arimo } p { margin: 0; width: ${column}px; height: ${height}px }</style>
    ${columns.map(({ hyphens, lang, text }) => `<p lang=${lang} style="hyphens: ${hyphens}">${text}</p>`).join("")}`;
  const size = { viewport_width: 400, viewport_height: columns.length * height };
  const image = await decode((await captureWith({ html, ...size })).body);
  const inkBeyond = (row: number) => {
    let count = 0;
    for (let x = column + 2; x < image.width; x++)
      for (let y = row * height; y < (row + 1) * height; y++) if ((image.colourAt(x, y)[0] ?? 255) < 128) count++;
    return count;
  };
  expect(columns.map(({ hyphens, lang }, row) => [lang, hyphens, inkBeyond(row) > 20])).toEqual([
    ["de", "auto", false],
    ["en", "auto", false],
    ["de", "manual", true],
    ["en", "manual", true],
  ]);
  expect([inkBeyond(0), inkBeyond(1)]).toEqual([0, 0]);
});
