// The languages that Chromium hyphenates, and the licences of their patterns, which are those of hyph-utf8.
// https://github.com/hyphenation/tex-hyphen

export interface HyphenationLanguage {
  /** The name by which Chromium asks for the file. */
  readonly file: string;
  /** The name in the package `hyphen`. */
  readonly patterns: string;
  readonly language: string;
  /** SPDX expression. Patterns under several licences are used under the one that is named here. */
  readonly licence: string;
  readonly copyright: string;
}

/**
 * Those whose licence permits it. Patterns that are under the GPL or the LGPL alone are left out (Armenian, Czech, Indonesian, Latvian,
 * Macedonian), and those without a licence (Romanian).
 */
export const hyphenationLanguages: readonly HyphenationLanguage[] = [
  {
    file: "af",
    patterns: "af",
    language: "Afrikaans",
    licence: "MIT",
    copyright: "2013 Tilla Fick and Chris Swanepoel",
  },
  { file: "as", patterns: "as", language: "Assamese", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "be", patterns: "be", language: "Belarusian", licence: "MIT", copyright: "2016 Maksim Salau" },
  {
    file: "bg",
    patterns: "bg",
    language: "Bulgarian",
    licence: "LicenseRef-Bulgarian-patterns",
    copyright: "2000, 2004, 2017 Anton Zinoviev",
  },
  { file: "bn", patterns: "bn", language: "Bengali", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  {
    file: "ca",
    patterns: "ca",
    language: "Catalan",
    licence: "LPPL-1.3c",
    copyright: "December 1991-January 1995, July 2003 Gonçal Badenes",
  },
  { file: "cy", patterns: "cy", language: "Welsh", licence: "MIT", copyright: "1996 Yannis Haralambous" },
  { file: "da", patterns: "da", language: "Danish", licence: "MIT", copyright: "1994 Frank Jensen" },
  {
    file: "de-1901",
    patterns: "de-1901",
    language: "German, traditional spelling",
    licence: "MIT",
    copyright:
      "2013-2024 Stephan Hennig, Werner Lemberg, Günter Milde, Sander van Geloven, Georg Pfeiffer, Gisbert W. Selke, Tobias Wendorf, Keno Wehr",
  },
  {
    file: "de-1996",
    patterns: "de-1996",
    language: "German, reformed spelling",
    licence: "MIT",
    copyright:
      "2013-2024 Stephan Hennig, Werner Lemberg, Günter Milde, Sander van Geloven, Georg Pfeiffer, Gisbert W. Selke, Tobias Wendorf, Keno Wehr",
  },
  {
    file: "de-ch-1901",
    patterns: "de-ch-1901",
    language: "Swiss German, traditional spelling",
    licence: "MIT",
    copyright:
      "2013-2024 Stephan Hennig, Werner Lemberg, Günter Milde, Sander van Geloven, Georg Pfeiffer, Gisbert W. Selke, Tobias Wendorf, Keno Wehr",
  },
  { file: "el", patterns: "el-monoton", language: "Greek", licence: "MIT", copyright: "2008-2011 Dimitrios Filippou" },
  {
    file: "en-gb",
    patterns: "en-gb",
    language: "English, British spelling",
    licence: "MIT",
    copyright: "1992, 1996, 2005, 2016 Dominik Wujastyk, Graham Toal",
  },
  {
    file: "en-us",
    patterns: "en-us",
    language: "English, American spelling",
    licence: "FSFAP-no-warranty-disclaimer",
    copyright: "1990, 2004, 2005 Gerard D.C. Kuiken",
  },
  {
    file: "es",
    patterns: "es",
    language: "Spanish",
    licence: "MIT",
    copyright: "1993, 1997 Javier Bezos, 2001-2019 Javier Bezos, CervanTeX",
  },
  { file: "et", patterns: "et", language: "Estonian", licence: "MIT", copyright: "2004-2015 Enn Saar" },
  {
    file: "eu",
    patterns: "eu",
    language: "Basque",
    licence: "Unicode-DFS-2015",
    copyright: "1997, 2008 Juan M. Aguirregabiria",
  },
  {
    file: "fi",
    patterns: "fi-x-school",
    language: "Finnish",
    licence: "MIT",
    copyright: "2020 Teemu Likonen, Arthur Rosendahl",
  },
  {
    file: "fr",
    patterns: "fr",
    language: "French",
    licence: "MIT",
    copyright: "1994-2002 Daniel Flipo, Bernard Gaulle, 2016 Arthur Reutenauer",
  },
  { file: "fur", patterns: "fur", language: "Friulan", licence: "MIT", copyright: "2012 Claudio Beccari" },
  { file: "ga", patterns: "ga", language: "Irish", licence: "MIT", copyright: "2004-2015 Kevin P. Scannell" },
  {
    file: "gl",
    patterns: "gl",
    language: "Galician",
    licence: "Unlicense",
    copyright: "2006, 2007, 2008, 2010 Javier A. Múgica",
  },
  {
    file: "grc",
    patterns: "grc",
    language: "Ancient Greek",
    licence: "MIT",
    copyright: "2008-2016 Dimitrios Filippou",
  },
  { file: "gu", patterns: "gu", language: "Gujarati", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "hi", patterns: "hi", language: "Hindi", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  {
    file: "hr",
    patterns: "hr",
    language: "Croatian",
    licence: "Unicode-DFS-2015",
    copyright: "1994, 1996, 2011, 2015 Igor Marinović",
  },
  { file: "hsb", patterns: "hsb", language: "Upper Sorbian", licence: "LPPL-1.3c", copyright: "1997 Eduard Werner" },
  { file: "hu", patterns: "hu", language: "Hungarian", licence: "MPL-1.1", copyright: "2003 Bence Nagy" },
  { file: "is", patterns: "is", language: "Icelandic", licence: "LPPL-1.3c", copyright: "1988, 2004 Jörgen Pind" },
  { file: "it", patterns: "it", language: "Italian", licence: "MIT", copyright: "2008-2011 Claudio Beccari" },
  { file: "ka", patterns: "ka", language: "Georgian", licence: "MIT", copyright: "2013 Levan Shoshiashvili" },
  { file: "kn", patterns: "kn", language: "Kannada", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "la", patterns: "la", language: "Latin", licence: "MIT", copyright: "1999-2016 Claudio Beccari" },
  {
    file: "lt",
    patterns: "lt",
    language: "Lithuanian",
    licence: "MIT",
    copyright: "1992 Sigitas Tolušis, Yannis Haralambous",
  },
  { file: "ml", patterns: "ml", language: "Malayalam", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  {
    file: "mn-cyrl",
    patterns: "mn-cyrl",
    language: "Mongolian, Cyrillic script",
    licence: "MIT",
    copyright: "2007-2015 Dorjgotov Batmunkh",
  },
  { file: "mr", patterns: "mr", language: "Marathi", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  {
    file: "nb",
    patterns: "nb",
    language: "Norwegian Bokmål",
    licence: "FSFAP-no-warranty-disclaimer",
    copyright: "2004-2005 Rune Kleveland, Ole Michael Selberg, 2007 Karl Ove Hufthammer",
  },
  { file: "nl", patterns: "nl", language: "Dutch", licence: "MIT", copyright: "1996 Piet Tutelaers" },
  {
    file: "nn",
    patterns: "nn",
    language: "Norwegian Nynorsk",
    licence: "FSFAP-no-warranty-disclaimer",
    copyright: "2007 Karl Ove Hufthammer",
  },
  { file: "oc", patterns: "oc", language: "Occitan", licence: "MIT", copyright: "2016 Claudio Beccari" },
  { file: "or", patterns: "or", language: "Odia, Oriya", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "pa", patterns: "pa", language: "Panjabi, Punjabi", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "pi", patterns: "pi", language: "Pāli", licence: "MIT", copyright: "2018 Wie-Ming Cittānurakkho Bhikkhu" },
  {
    file: "pl",
    patterns: "pl",
    language: "Polish",
    licence: "MIT",
    copyright: "1987-1995 Hanna Kołodziejska, Bogusław Jackowski, Marek Ryćko",
  },
  { file: "pms", patterns: "pms", language: "Piedmontese", licence: "MIT", copyright: "2013 Claudio Beccari" },
  {
    file: "pt",
    patterns: "pt",
    language: "Portuguese",
    licence: "BSD-3-Clause",
    copyright:
      "1987, 1994, 1996, 2015 Pedro J. de Rezende, 1996, 2015 J. Joao Dias Almeida, 2024 Leonardo Araujo and Aline Benevides",
  },
  { file: "rm", patterns: "rm", language: "Romansh", licence: "MIT", copyright: "2012 Claudio Beccari, 2024 far.ch" },
  {
    file: "ru",
    patterns: "ru",
    language: "Russian",
    licence: "LPPL-1.3c",
    copyright: "1999-2003 Alexander I. Lebedev",
  },
  { file: "sk", patterns: "sk", language: "Slovak", licence: "MIT", copyright: "1992 Jana Chlebíková" },
  { file: "sl", patterns: "sl", language: "Slovenian", licence: "MIT", copyright: "1990 Matjaž Vrečko" },
  {
    file: "sq",
    patterns: "sq",
    language: "Albanian",
    licence: "MIT",
    copyright: "2020 Claudio Beccari, Sabina Koliqi 2025 Arthur Rosendahl",
  },
  {
    file: "sr",
    patterns: "sh-cyrl",
    language: "Serbian, Cyrillic",
    licence: "LPPL-1.3c",
    copyright: "1990, 2008 Dejan Muhamedagić",
  },
  { file: "sv", patterns: "sv", language: "Swedish", licence: "LPPL-1.3c", copyright: "1994 Jan Michael Rynning" },
  { file: "ta", patterns: "ta", language: "Tamil", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "te", patterns: "te", language: "Telugu", licence: "MIT", copyright: "2016 Santhosh Thottingal" },
  { file: "tk", patterns: "tk", language: "Turkmen", licence: "MIT", copyright: "2010-2015 Nazar Annagurban" },
  {
    file: "tr",
    patterns: "tr",
    language: "Turkish",
    licence: "LPPL-1.3c",
    copyright: "1987 Pierre A. MacKay, 2008, 2011 TUG",
  },
  { file: "uk", patterns: "uk", language: "Ukrainian", licence: "MIT", copyright: "1998-2001 Maksym Polyakov" },
  {
    file: "und-ethi",
    patterns: "mul-ethi",
    language: "languages in the Ethiopic script",
    licence: "MIT",
    copyright: "2011, 2016 Arthur Reutenauer",
  },
];
