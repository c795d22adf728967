/// <reference lib="dom" />
// Fonts of the layer: no character of common languages is an empty box, and families look as elsewhere.
// Text as a capture shows it: every script has its glyphs, every language its own, and emoji their colours.
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildFontsLayer } from "../../../layers/fonts/build.ts";
import { type BrowserSession, launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { configureFonts } from "../../../lib/engine/browser/font-configuration.ts";
import { decode, type Pixels } from "../../fixtures/png.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

let session: BrowserSession;
beforeAll(async () => {
  session = await launch();
});
afterAll(() => session.close());

async function launch(fontConfiguration?: string): Promise<BrowserSession> {
  const files = { ...(await chromiumFiles()), ...(fontConfiguration && { fontConfiguration }) };
  return await launchBrowser({ files, allowed: new Set(), limits: testLimits });
}

describe("fonts: no character is an empty box", () => {
  sampled(test, 8).each([
    ["Latin", "Ángström, Łódź, Çağ, ĳsselmeer, þorn, ŋ, ß ẞ, ĉu ŝi, Ž, ʻokina, ǂ ɓ ɗ ə ɣ, “”‘’–—…«»"],
    ["Vietnamese", "Tiếng Việt: đường, ăâêôơư, ẢẠẬẶỆỘỢỰỸ, ngữ, ₫"],
    ["Cyrillic", "Съешь же ещё этих мягких французских булок; Україна ґ є і ї, ђћљњџ, ў, қ ң ө ү һ ә"],
    ["Greek", "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία, ᾄδειν ΰ ῷ ϊ ΐ"],
    [
      "simplified Han",
      "的一是不了人我在有他这中大来上国说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长",
    ],
    [
      "traditional Han",
      "的一是不了人我在有他這中大來上國說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒於起還發成事只作當想看無開體龜鬱灣籲",
    ],
    ["Cantonese", "嘅咗嗰哋喺冇啲嚟佢𨋢𠝹㩒𡁻"],
    ["rare Han", "㐀㒨䶮䲜龘靐齉爨彧翀囧犇骉昇喆堃"],
    ["Kana", "あいうえおがぎぱぴゃっゔゝ アイウエオヴヵヶー・ｱｲｳ ㍿ ㋿ 々〆〇"],
    ["Hangul", "다람쥐 헌 쳇바퀴에 타고파 뷁 쀍 ㄱㄴㄷㅏㅑ"],
    ["old Hangul", "\u1113\u1140\ua960\u1161\u119e\u11a2\u11eb\u11f0"],
    ["Bopomofo", "ㄅㄆㄇㄈㄉㄊㄋㄌ"],
    ["Arabic", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب ٠١٢٣٤٥٦٧٨٩ ؟ ، ﷺ ﷲ"],
    ["Persian", "پژوهشگران گچ‌کاری می‌کنند ۰۱۲۳۴۵۶۷۸۹"],
    ["Urdu", "ٹھنڈ میں ایک ہزار گھوڑے، بڑے ۓ ں ہ"],
    ["Hebrew", "דג סקרן שט בים מאוכזב שָׁלוֹם ₪ ״׳"],
    ["Devanagari", "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश १२३ क्ष ज्ञ ॐ ₹"],
    ["Bengali", "আমি বাংলায় গান গাই, স্ত্রী, ক্ষমা, ড়ঢ়য়ৎ ১২৩ ৳ অসমীয়া ৰৱ"],
    ["Gurmukhi", "ਪੰਜਾਬੀ ਭਾਸ਼ਾ ਗੁਰਮੁਖੀ ਖ਼ੁਸ਼ੀ ੧੨੩ ੴ"],
    ["Gujarati", "ગુજરાતી ભાષા ક્ષત્રિય જ્ઞાન શ્રી ૧૨૩"],
    ["Tamil", "யாமறிந்த மொழிகளிலே தமிழ்மொழி ஶ்ரீ ஜஷஸஹ ௧௨௩"],
    ["Telugu", "తెలుగు భాష క్షత్రియ జ్ఞానం శ్రీ ౧౨౩"],
    ["Kannada", "ಕನ್ನಡ ಭಾಷೆ ಕ್ಷತ್ರಿಯ ಜ್ಞಾನ ಶ್ರೀ ೧೨೩"],
    ["Malayalam", "മലയാളം ഭാഷ ക്ഷത്രിയ ജ്ഞാനം ൺൻർൽൾ ൧൨൩"],
    ["Odia", "ଓଡ଼ିଆ ଭାଷା କ୍ଷତ୍ରିୟ ଜ୍ଞାନ ୧୨୩"],
    ["Sinhala", "සිංහල භාෂාව ක්‍ෂ ශ්‍රී ඥාන"],
    ["Thai", "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า ที่นี่ ฎฏฐฑฒ ๐๑๒๓ ฿"],
    ["Lao", "ພາສາລາວ ສະບາຍດີ ເຂົ້າ ໐໑໒"],
    ["Khmer", "ភាសាខ្មែរ ស្រុក ព្រះ ១២៣ ៛"],
    ["Myanmar", "မြန်မာဘာသာ ကျွန်ုပ် သင်္ဘော ၁၂၃"],
    ["Georgian", "ქართული ენა ჰ ᲥᲐᲠᲗᲣᲚᲘ ₾"],
    ["Armenian", "Բել դղյակի ձախ ժամն օֆ ազգությանը և ֏"],
    ["Ethiopic", "አማርኛ ትግርኛ ሰላም ፩፪፫ ።"],
    ["Tibetan", "བོད་སྐད་ བཀྲ་ཤིས་བདེ་ལེགས། ༡༢༣"],
    ["Mongolian", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ ᠐᠑᠒ ᠂᠃"],
    ["Cherokee", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ꭰꭱꭲ"],
    ["Canadian syllabics", "ᐃᓄᒃᑎᑐᑦ ᓀᐦᐃᔭᐍᐏᐣ ᐊᓂᔑᓈᐯᒧᐎᓐ ᖃᓂᐅᔮᖅᐸᐃᑦ"],
    ["Thaana", "ދިވެހި ބަސް ލިޔުން"],
    ["Syriac", "ܠܫܢܐ ܣܘܪܝܝܐ ܐܰܒܳܐ ܀"],
    ["N'Ko", "ߒߞߏ ߓߊ߲ߓߊߙߊ߲ ߀߁߂"],
    ["Tifinagh", "ⵜⴰⵎⴰⵣⵉⵖⵜ ⵉⵍⵙ"],
    ["Vai", "ꕙꔤ ꗏ ꘠꘡"],
    ["Yi", "ꆈꌠꁱꂷ ꒐꒑"],
    ["Ol Chiki", "ᱥᱟᱱᱛᱟᱲᱤ ᱯᱟᱹᱨᱥᱤ ᱑᱒"],
    ["Javanese", "ꦧꦱꦗꦮ ꦲꦏ꧀ꦱꦫ ꧑꧒"],
    ["Balinese", "ᬩᬲᬩᬮᬶ ᬅᬓ᭄ᬱᬭ ᭑᭒"],
    ["Sundanese", "ᮘᮞ ᮞᮥᮔ᮪ᮓ ᮱᮲"],
    ["Cham", "ꨀꨇꩉ ꨌꩌ ꩑꩒"],
    ["Tai Le", "ᥖᥭᥰ ᥖᥬᥲ ᥑᥨᥒᥰ"],
    ["New Tai Lue", "ᦑᦟᦹᧉ ᦅᦱᧃᦎᦱᧉ ᧑᧒"],
    ["Tai Tham", "ᨲᩫ᩠ᩅᨾᩮᩬᩥᨦ ᩁᩣ᩠ᨶ"],
    ["Tai Viet", "ꪁꪫꪱꪣ ꪼꪕ"],
    ["Meetei Mayek", "ꯃꯤꯇꯩꯂꯣꯟ ꯱꯲"],
    ["Limbu", "ᤕᤰᤌᤢᤱ ᤐᤠᤴ ᥇᥈"],
    ["Lisu", "ꓡꓲ-ꓢꓴ ꓮꓬꓳ"],
    ["Buginese", "ᨅᨔ ᨕᨘᨁᨗ ᨞᨟"],
    ["Kayah Li", "ꤊꤢꤛꤢ꤭ ꤜꤟꤤ꤬ ꤁꤂"],
    ["Bamum", "ꚠꚡ ꛀꛁ ꛂꛃ"],
    ["Syloti Nagri", "ꠍꠤꠟꠐꠤ ꠘꠣꠉꠞꠤ"],
    ["Newa", "𑐣𑐾𑐥𑐵𑐮 𑐨𑐵𑐲𑐵 𑑑𑑒"],
    ["Miao", "𖼀𖼁 𖽔𖾏"],
    ["Chakma", "𑄌𑄋𑄴𑄟𑄳𑄦 𑄶𑄷"],
    ["Adlam", "𞤆𞤵𞤤𞤢𞤪 𞤀𞤁𞤂𞤃 𞥑𞥒"],
    ["Osage", "𐓏𐓘𐓻𐓘𐓻𐓟 𐒻𐓟"],
    ["Hanifi Rohingya", "𐴌𐴗𐴥𐴝𐴙𐴚𐴒𐴙𐴝 𐴱𐴲"],
    ["mathematics", "∀x∈ℝ ∑∏∫∮√∞≠≤≥≈∂∇⊂⊆∪∩⟨⟩ ℵ ℏ 𝔸 𝒜 𝛼 𝟘 ⅓ ½ ⁿ ₂"],
    ["arrows", "←↑→↓↔↕⇐⇒⇔↩↪⟵⟶⟹➔➜➤⬅⬆⤴"],
    ["symbols", "★☆✓✔✗✘♠♣♥♦♩♪♫♭♯☎☀☂☃①②⑩Ⅷ⌘⌥⇧⏎⌫⎋⠿№℃™®©€£¥₹₽₿₺₴✂✈❝❞"],
    ["boxes and blocks", "┌┬┐├┼┤└┴┘═║╔╗╚╝█▓▒░▀▄▌▐■□▢▪▫▲△▼▽◆◇○●◉◐"],
  ])("in %s", async (_, text) => {
    expect(await boxes(text)).toEqual([]);
  });

  test("a script that the layer lacks fails this test", async () => {
    expect(await boxes("a 𓀀")).toEqual(["𓀀"]);
  });
});

describe("fonts: shared characters look as in the language of the text", () => {
  test.each([
    ["zh-CN", "NotoSansHans-Regular"],
    ["zh", "NotoSansHans-Regular"],
    ["zh-Hans", "NotoSansHans-Regular"],
    ["zh-TW", "NotoSansTC-Regular"],
    ["zh-Hant", "NotoSansTC-Regular"],
    ["zh-HK", "NotoSansHK-Regular"],
    ["zh-Hant-HK", "NotoSansHK-Regular"],
    ["ja", "NotoSansJP-Regular"],
    ["ja-JP", "NotoSansJP-Regular"],
    ["ko", "NotoSansKR-Regular"],
    ["en", "NotoSansHans-Regular"],
  ])("in %s from %s", async (language, font) => {
    expect(await fontsOf(`<p lang="${language}">直骨</p>`)).toEqual([font]);
  });

  test.each([
    ["Meiryo", "NotoSansJP-Regular"],
    ["Microsoft JhengHei", "NotoSansTC-Regular"],
    ["Malgun Gothic", "NotoSansKR-Regular"],
  ])("in a page that names %s and no language, from %s", async (family, font) => {
    expect(await fontsOf(`<p style="font-family: '${family}', sans-serif">直骨</p>`)).toEqual([font]);
  });

  test("which differ from each other", async () => {
    const pictures = new Set<string>();
    for (const language of ["zh-CN", "zh-TW", "zh-HK", "ja"])
      pictures.add(await ink(`<p lang="${language}">直骨令</p>`));
    expect(pictures.size).toBe(4);
  });
});

describe("fonts: family names", () => {
  // Advances in units of 1/2048 em, from the fonts that are replaced.
  test.each([
    ["Arial", { a: 1139, H: 1479, W: 1933 }],
    ["Helvetica", { a: 1139, H: 1479, W: 1933 }],
    ["Times New Roman", { a: 909, H: 1479, W: 1933 }],
    ["Courier New", { a: 1229, H: 1229, W: 1229 }],
    ["Calibri", { a: 981, H: 1276, W: 1822 }],
    ["Georgia", { a: 1032, H: 1669, W: 1998 }],
  ])("%s is as wide as elsewhere", async (family, advances) => {
    expect(await widthsOf(family, Object.keys(advances))).toEqual(Object.values(advances));
  });

  test.each([
    ["serif", "Tinos-Regular"],
    ["sans-serif", "Arimo-Regular"],
    ["monospace", "Cousine-Regular"],
    ["system-ui", "NotoSans-Regular"],
    ["'Cambria'", "Caladea-Regular"],
    ["math", "NotoSansMath-Regular"],
    ["'No Such Family', Arial", "Arimo-Regular"],
  ])("%s is %s", async (family, font) => {
    expect(await fontsOf(`<p style="font-family: ${family}">Text</p>`)).toEqual([font]);
  });
});

describe("fonts: bold and italic", () => {
  sampled(test, 16).each([
    ["Latin", "Hamburg"],
    ["Cyrillic", "Гамбург"],
    ["Han", "汉堡"],
    ["Hangul", "함부르크"],
    ["Arabic", "هامبورغ"],
    ["Devanagari", "हैम्बर्ग"],
    ["Thai", "ฮัมบวร์ค"],
    ["Cherokee", "ᎭᎻᏊ"],
    ["Mongolian", "ᠭᠠᠮᠪᠤᠷᠭ"],
  ])("in %s", async (_, text) => {
    const regular = await darkness(`<p>${text}</p>`);
    expect(await darkness(`<p style="font-weight: bold">${text}</p>`)).toBeGreaterThan(regular * 1.1);
    expect(await ink(`<p style="font-style: italic">${text}</p>`)).not.toBe(await ink(`<p>${text}</p>`));
  });
});

describe("fonts: emoji", () => {
  test.each(["❤️", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧‍👦", "🧑🏿‍🚀", "1️⃣", "🫠", "☀️"])("%s is one glyph", async (emoji) => {
    expect(await widthsOf("Arial", [emoji])).toEqual(await widthsOf("Arial", ["😀"]));
  });

  sampled(test, 6).each(["😀", "❤️", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍❤️‍👨", "1️⃣"])("%s is in colour", async (emoji) => {
    expect(await colours(`<p>${emoji}</p>`)).toBeGreaterThan(20);
  });

  test("skin tones differ", async () => {
    expect(await ink("<p>👍🏽</p>")).not.toBe(await ink("<p>👍🏿</p>"));
  });

  test("digits and text symbols are not emoji", async () => {
    expect(await colours("<p>0123456789#*©❤︎</p>")).toBe(0);
  });
});

test("fonts: vertical text has its own punctuation", async () => {
  const vertical = await ink(`<p lang="ja" style="writing-mode: vertical-rl">「ー。</p>`);
  const upright = await ink(
    `<p lang="ja" style="writing-mode: vertical-rl; text-orientation: upright; font-feature-settings: 'vert' 0">「ー。</p>`,
  );
  expect(vertical).not.toBe(upright);
});

describe("fonts: Chinese, Japanese and Korean text is laid out by the tables of the whole font", () => {
  const families = ["Noto Sans SC", "Noto Sans TC", "Noto Sans HK", "Noto Sans JP", "Noto Sans KR"];

  test.each(families)("%s kerns Latin letters", async (family) => {
    const text = "AVATAR To";
    expect(await lineWidth(family, text)).toBeLessThan((await lineWidth(family, text, "font-kerning: none")) - 1);
  });

  test.each(families)("%s halves the width of brackets where a page asks for it", async (family) => {
    const [full, half] = [await lineWidth(family, "「」"), await lineWidth(family, "「」", feature("palt"))];
    expect([full, half]).toEqual([80, 40]);
  });

  test.each(families)("%s has forms of its own for vertical text", async (family) => {
    const vertical = (style = "") =>
      ink(`<p style="font-family: '${family}'; writing-mode: vertical-rl; ${style}">「」ー。</p>`);
    expect(await vertical()).not.toBe(await vertical(`text-orientation: upright; ${feature("vert", 0)}`));
  });

  test("Noto Sans JP draws the forms of 1990 where a page asks for them", async () => {
    const text = (style: string) => ink(`<p style="font-family: 'Noto Sans JP'; ${style}">辻飴鯖</p>`);
    expect(await text("font-variant-east-asian: jis90")).not.toBe(await text(""));
  });

  test("Noto Sans KR joins old letters to syllables", async () => {
    expect(await lineWidth("Noto Sans KR", "\u1113\u1161")).toBe(await lineWidth("Noto Sans KR", "가"));
    expect(await lineWidth("Noto Sans KR", "\u1112\u119e\u11ab")).toBe(await lineWidth("Noto Sans KR", "한"));
  });
});

describe("fonts: a launch", () => {
  test("uses the font cache of the layer", async () => {
    expect(await cacheIsMadeBy(() => undefined)).toBe(false);
  });

  slowTest("would build a cache if that of the layer were invalid", async () => {
    expect(await cacheIsMadeBy((layer) => rm(join(layer, "cache"), { recursive: true }))).toBe(true);
  });

  /** Launches a browser of its own with a copy of the layer; whether it had to scan the fonts. */
  async function cacheIsMadeBy(change: (layer: string) => unknown): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), "fonts-"));
    try {
      const layer = join(folder, "layer");
      await cp(join(buildFontsLayer(), "fonts"), layer, { recursive: true });
      await change(layer);
      const configuration = configureFonts(layer, folder);
      const launched = await launch(configuration);
      await (await launched.page()).setContent("<p>直骨 text</p>");
      await (await launched.page()).screenshot();
      await launched.close();
      return existsSync(join(dirname(configuration), "fonts-cache"));
    } finally {
      await rm(folder, { recursive: true });
    }
  }
});

/** The characters of a text that are drawn as a box, because no font has them. */
async function boxes(text: string): Promise<string[]> {
  const characters = [...new Set(text)].filter((character) => !/[\s\p{Cf}]/u.test(character));
  const page = await session.page();
  await page.setContent("<p>");
  return await page.evaluate((drawn: string[]) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 160 });
    const context = canvas.getContext("2d");
    const draw = (character: string) => {
      if (!context) throw new Error("There is no canvas.");
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.font = "48px serif";
      context.fillText(character, 40, 100);
      return canvas.toDataURL();
    };
    const box = draw("\u{e123}"); // for private use: no font has it
    return drawn.filter((character) => draw(character) === box);
  }, characters);
}

/** PostScript names of the fonts that the text of the first paragraph is drawn in. */
async function fontsOf(html: string): Promise<string[]> {
  const { cdp } = session;
  const page = await session.page();
  await page.setContent(html);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  const { root } = await cdp.send("DOM.getDocument");
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector: "p" });
  const { fonts } = await cdp.send("CSS.getPlatformFontsForNode", { nodeId });
  return fonts.map(({ postScriptName }) => postScriptName).toSorted();
}

const feature = (tag: string, value = 1) => `font-feature-settings: '${tag}' ${value}`;

/** The width of a line of text at 40px, in pixels. */
async function lineWidth(family: string, text: string, style = ""): Promise<number> {
  const page = await session.page();
  await page.setContent(`<!doctype html><span style="font: 40px '${family}'; ${style}">${text}</span>`);
  return await page.evaluate(() => document.querySelector("span")?.getBoundingClientRect().width ?? 0);
}

/** Advances of texts set in a family, in units of 1/2048 em. */
async function widthsOf(family: string, texts: readonly string[]): Promise<number[]> {
  const page = await session.page();
  return await page.evaluate(
    (name, measured) => {
      const context = document.createElement("canvas").getContext("2d");
      if (!context) throw new Error("There is no canvas.");
      context.font = `2048px "${name}"`;
      return measured.map((text) => Math.round(context.measureText(text).width));
    },
    family,
    texts,
  );
}

async function picture(html: string): Promise<Buffer> {
  const page = await session.page();
  await page.setViewport({ width: 400, height: 120 });
  await page.setContent(`<!doctype html><style>p { font: 40px sans-serif; margin: 20px }</style>${html}`);
  return Buffer.from(await page.screenshot());
}

async function ink(html: string): Promise<string> {
  return (await picture(html)).toString("base64");
}

/** How much of the picture is not white. */
async function darkness(html: string): Promise<number> {
  return pixels(await decode(await picture(html))).reduce((sum, [red = 0]) => sum + 255 - red, 0);
}

/** How many pixels are of a colour rather than grey. */
async function colours(html: string): Promise<number> {
  return pixels(await decode(await picture(html))).filter((pixel) => Math.max(...pixel) - Math.min(...pixel) > 40)
    .length;
}

function pixels({ width, height, colourAt }: Pixels): number[][] {
  return Array.from({ length: width * height }, (_, index) => colourAt(index % width, Math.floor(index / width)));
}
