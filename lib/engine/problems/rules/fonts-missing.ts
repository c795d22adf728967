// FONTS_MISSING: a web font failed or was still loading, and another font was used.
import { addressWithoutQuery } from "../../page/record-text.ts";
import { isVisual, type JudgedPage, type ProblemRule } from "../problem-rule.ts";

const ICON_FONT = /icon|awesome|material|symbol|glyph|feather|lucide|octicon|^fa[ -]?\d|ionic|remix|tabler/i;

/** Style sheets of fonts, whose fonts are unknown where they do not load. */
const FONT_STYLES = /font|icon|typekit/i;
const STYLE_SHEET = /(?:\.css|\/css2?|\/icon)$/i;
const FONT_FILE = /\.(?:woff2?|ttf|otf|eot)(?:$|[?#])/i;

const PENALTY = { text: 10, icons: 30 };
const DELAY_S = 5;

export const fontsMissing: ProblemRule = {
  code: "FONTS_MISSING",
  isJudged: isVisual,
  find(page) {
    const fonts = page.observed.fonts.filter(({ isUsed }) => isUsed);
    const styles = page.failures
      .map(({ url }) => addressWithoutQuery(url))
      .filter((address) => FONT_STYLES.test(address) && STYLE_SHEET.test(address));
    if (fonts.length === 0 && styles.length === 0) return undefined;
    const names = fonts.map(({ family }) => family);
    const isIcons = [...names, ...styles].some((name) => ICON_FONT.test(name));
    const isLoading = fonts.length > 0 && fonts.every(({ isFailed }) => !isFailed);
    const what =
      names.length > 0
        ? `The ${names.length === 1 ? "font" : "fonts"} ${names
            .slice(0, 5)
            .map((name) => `'${name}'`)
            .join(", ")}`
        : `The style sheet of fonts ${addressWithoutQuery(styles[0] ?? "")}`;
    return {
      message: `${what} ${isLoading ? "had not loaded" : "failed to load"}, so that ${isIcons ? "icons are missing" : "another font was used"}.${isLoading ? " Wait with 'delay'." : ` Check ${names.length > 0 ? "its address and its CORS headers" : "its address"}.`}`,
      evidence: {
        count: names.length + styles.length,
        ...(names[0] && { text: names[0] }),
        ...urls(page, styles),
      },
      fixes: isLoading ? [{ delay: DELAY_S }] : [],
      penalty: isIcons ? PENALTY.icons : PENALTY.text,
    };
  },
};

function urls({ failures }: JudgedPage, styles: readonly string[]) {
  const files = failures.map(({ url }) => url).filter((url) => FONT_FILE.test(url));
  const all = [...files, ...styles].slice(0, 5).map(addressWithoutQuery);
  return all.length > 0 ? { urls: all } : {};
}
