// What the header and footer of a PDF may contain: text, markup and style that need nothing from outside.

/**
 * Why a template cannot be printed, or undefined when it can. Chromium prints templates in a document that loads nothing:
 * what a template names by address is left out, and a style sheet, a font or an SVG filter from elsewhere crashes it.
 * Images and fonts inside the template (`data:`) work.
 */
export function templateProblem(template: string): string | undefined {
  const plain = decodeEscapes(template);
  return problems.find(({ found }) => found.test(template) || found.test(plain))?.message;
}

const embed = "embed images and fonts as data: addresses";

const problems: readonly { readonly found: RegExp; readonly message: string }[] = [
  { found: /<script\b/i, message: "contains a script, and scripts do not run in it" },
  { found: /<link\b/i, message: "contains <link>, and it can load nothing: write the rules into <style>" },
  { found: /@import\b/i, message: "contains @import, and it can load nothing: write the rules into <style>" },
  { found: /<(?:iframe|frame|object|embed|video|audio)\b/i, message: "embeds another document, which it cannot load" },
  {
    found: /\burl\(\s*["']?(?!["']|\s*(?:data:|#))/i,
    message: `names an address in url(), and it can load nothing: ${embed}`,
  },
  {
    found:
      /<(?:img|image|use|feimage|source|input)\b[^>]*\s(?:src|srcset|href|xlink:href)\s*=\s*["']?(?!["']|\s*(?:data:|#))/i,
    message: `contains an image by its address, and it can load nothing: ${embed}`,
  },
];

/** CSS escapes (`\75 rl`) and numeric references of HTML (`&#117;rl`) as the characters they stand for. */
function decodeEscapes(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex, decimal) =>
      character(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(
      /\\(?:([0-9a-f]{1,6})\s?|([^0-9a-f\n]))/gi,
      (_, hex, plain) => plain ?? character(Number.parseInt(hex, 16)),
    );
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
