// Pages about fonts: web fonts that load late or never, and the scripts of the world.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { css, document, numberIn, type Pages } from "./page.ts";

/**
 * A point of `/late-fonts` that is in `colour` once the web font is there, and white before: it lies in the middle of a
 * glyph that is a filled square, which other fonts lack and show as an empty box, if at all.
 */
export const LATE_FONT = { x: 83, y: 80, colour: [160, 0, 90] };

export interface Sample {
  /** ISO 15924 code of the script; its row has this id, in lower case. */
  readonly script: string;
  readonly lang: string;
  readonly text: string;
}

/** The rows of `/scripts-of-the-world` from top to bottom: row n begins n × 40 px below the top, its text at x = 100. */
export const SAMPLES: readonly Sample[] = [
  { script: "Latn", lang: "en", text: "The quick brown fox" },
  { script: "Grek", lang: "el", text: "Καλημέρα κόσμε" },
  { script: "Cyrl", lang: "uk", text: "Доброго дня, світе" },
  { script: "Hans", lang: "zh-Hans", text: "人人生而自由，骨直门" },
  { script: "Hant", lang: "zh-Hant", text: "人人生而自由，骨直門" },
  { script: "Jpan", lang: "ja", text: "こんにちは世界 カタカナ" },
  { script: "Kore", lang: "ko", text: "안녕하세요 세계" },
  { script: "Zsye", lang: "und", text: "😀 👩‍🚀 🇫🇷 👍🏽 ❤️ 🦊" },
  { script: "Arab", lang: "ar", text: "مرحبا بالعالم" },
  { script: "Hebr", lang: "he", text: "שלום עולם" },
  { script: "Deva", lang: "hi", text: "नमस्ते दुनिया" },
  { script: "Beng", lang: "bn", text: "ওহে বিশ্ব" },
  { script: "Guru", lang: "pa", text: "ਸਤ ਸ੍ਰੀ ਅਕਾਲ" },
  { script: "Gujr", lang: "gu", text: "નમસ્તે દુનિયા" },
  { script: "Taml", lang: "ta", text: "வணக்கம் உலகம்" },
  { script: "Telu", lang: "te", text: "నమస్కారం ప్రపంచం" },
  { script: "Knda", lang: "kn", text: "ನಮಸ್ಕಾರ ಜಗತ್ತು" },
  { script: "Mlym", lang: "ml", text: "നമസ്കാരം ലോകം" },
  { script: "Sinh", lang: "si", text: "ආයුබෝවන් ලෝකය" },
  { script: "Thai", lang: "th", text: "สวัสดีชาวโลก" },
  { script: "Laoo", lang: "lo", text: "ສະບາຍດີຊາວໂລກ" },
  { script: "Khmr", lang: "km", text: "សួស្តីពិភពលោក" },
  { script: "Mymr", lang: "my", text: "မင်္ဂလာပါ" },
  { script: "Tibt", lang: "bo", text: "བཀྲ་ཤིས་བདེ་ལེགས" },
  { script: "Armn", lang: "hy", text: "Բարեւ աշխարհ" },
  { script: "Geor", lang: "ka", text: "გამარჯობა მსოფლიო" },
  { script: "Ethi", lang: "am", text: "ሰላም ለዓለም" },
];

export const SAMPLE_HEIGHT = 40;

const FONT = join(
  import.meta.dirname,
  "../../../node_modules/startbootstrap-sb-admin-2/vendor/fontawesome-free/webfonts/fa-solid-900.ttf",
);
const FILLED_SQUARE = "&#xf0c8;";

export const fontPages: Pages = {
  /**
   * Text in a web font that is answered after `after` ms (800 unless told), or never with `never`. `display` is its
   * font-display, `block` unless told.
   */
  "/late-fonts": (query) => {
    const font = query.has("never") ? "/font" : `/font?after=${numberIn(query, "after", 800)}`;
    return document(`<style>
        @font-face { font-family: Late; src: url("${font}") format("truetype"); font-display: ${query.get("display") ?? "block"} }
        #square { position: absolute; left: 40px; top: 30px; font: 100px/100px Late; color: ${css(LATE_FONT.colour)} }
        h1 { margin: 150px 40px 0; font: 24px Late, sans-serif }
      </style><div id="square">${FILLED_SQUARE}</div><h1>A heading in a late font</h1>`);
  },

  /** A TrueType font after `after` ms; without it, never. */
  "/font": (query, answer) => {
    if (!query.has("after")) return undefined;
    answer.setHeader("content-type", "font/ttf");
    setTimeout(() => answer.end(readFileSync(FONT)), numberIn(query, "after", 0));
    return undefined;
  },

  /** The `SAMPLES`, each in a row of its own behind the code of its script. */
  "/scripts-of-the-world": () => {
    const rows = SAMPLES.map(
      ({ script, lang, text }) =>
        `<div id="${script.toLowerCase()}"><b>${script}</b><span lang="${lang}">${text}</span></div>`,
    );
    return document(`<meta charset="utf-8"><style>
        div { height: ${SAMPLE_HEIGHT}px; overflow: hidden; font: 22px/${SAMPLE_HEIGHT}px sans-serif; white-space: nowrap }
        b { display: inline-block; width: 90px; padding-left: 10px }
      </style>${rows.join("")}`);
  },
};
