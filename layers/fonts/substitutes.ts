// Which family stands in for which, and in which order families are requested a character that a page's own lack.

/** Families by what replaces them: names that pages use, and CSS's own. */
export const substitutes: Readonly<Record<string, readonly string[]>> = {
  // As wide as what they replace, so that lines break where the page's author saw them break.
  Arimo: ["Arial", "Helvetica", "Helvetica Neue", "Liberation Sans", "Nimbus Sans", "sans-serif"],
  Tinos: ["Times New Roman", "Times", "Liberation Serif", "Nimbus Roman", "serif", "ui-serif"],
  Cousine: ["Courier New", "Courier", "Liberation Mono", "Nimbus Mono PS", "monospace", "ui-monospace"],
  Carlito: ["Calibri"],
  Caladea: ["Cambria"],
  Gelasio: ["Georgia"],
  // The face of an interface. That of Windows is a humanist sans too, of the same hand.
  "Noto Sans": ["system-ui", "sans", "ui-sans-serif", "Segoe UI", "Open Sans"],
  "Noto Sans Math": ["math", "Latin Modern Math", "Cambria Math"],
  "Noto Color Emoji": ["emoji", "Apple Color Emoji", "Segoe UI Emoji"],
  // What other systems have for these languages: a page that names them may say nothing else of its language.
  "Noto Sans SC": [
    ...["Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei"],
    ...["Microsoft YaHei", "SimSun", "NSimSun", "SimHei", "PingFang SC", "Hiragino Sans GB", "STHeiti"],
  ],
  "Noto Sans TC": [
    ...["Noto Sans CJK TC", "Source Han Sans TC"],
    ...["Microsoft JhengHei", "PMingLiU", "MingLiU", "PingFang TC", "Heiti TC"],
  ],
  "Noto Sans HK": ["Noto Sans CJK HK", "Source Han Sans HC", "MingLiU_HKSCS", "PingFang HK"],
  "Noto Sans JP": [
    ...["Noto Sans CJK JP", "Source Han Sans", "Source Han Sans JP", "Meiryo", "MS Gothic", "MS PGothic", "Osaka"],
    ...["Hiragino Sans", "Hiragino Kaku Gothic Pro", "Hiragino Kaku Gothic ProN", "Yu Gothic", "YuGothic"],
  ],
  "Noto Sans KR": [
    ...["Noto Sans CJK KR", "Source Han Sans KR", "Nanum Gothic", "NanumGothic"],
    ...["Malgun Gothic", "Apple SD Gothic Neo", "Dotum", "Gulim", "Batang"],
  ],
};

/** The language of each family whose characters look different in another: what fontconfig is to know of the file. */
export const languageOf: Readonly<Record<string, string>> = {
  "Noto Sans SC": "zh-cn",
  "Noto Sans TC": "zh-tw",
  "Noto Sans HK": "zh-hk",
  "Noto Sans JP": "ja",
  "Noto Sans KR": "ko",
};

/** Which of them a text's language asks for. A later entry overrules an earlier one. */
export const preferredFor: readonly (readonly [language: string, family: string])[] = [
  ["ja", "Noto Sans JP"],
  ["ko", "Noto Sans KR"],
  ["zh", "Noto Sans SC"],
  ["zh-cn", "Noto Sans SC"],
  ["zh-sg", "Noto Sans SC"],
  ["zh-hans", "Noto Sans SC"],
  ["zh-tw", "Noto Sans TC"],
  ["zh-hant", "Noto Sans TC"],
  ["zh-hk", "Noto Sans HK"],
  ["zh-mo", "Noto Sans HK"],
  ["zh-hant-hk", "Noto Sans HK"],
  ["zh-hant-mo", "Noto Sans HK"],
  ["yue", "Noto Sans HK"],
];

/**
 * Who is requested last, in this order, all other families having been requested before. Text without a language is taken for
 * Chinese, which is the most common; symbols come after scripts, and emoji at the end since they have digits too.
 */
export const askedLast: readonly string[] = [
  "Noto Sans SC",
  "Noto Sans JP",
  "Noto Sans KR",
  "Noto Sans TC",
  "Noto Sans HK",
  "Noto Sans Symbols",
  "Noto Sans Symbols 2",
  "Noto Sans Math",
  "Noto Color Emoji",
];
