// Checks header and footer templates of PDFs: HTML that loads no external resources.

/**
 * Why a template cannot be printed, or undefined if it can. Chromium prints templates in a document that loads nothing:
 * external images are left out, and an external style sheet, font or SVG filter crashes it. `data:` URLs work.
 */
export function templateProblem(template: string): string | undefined {
  const plain = decodeEscapes(template);
  return problems.find(({ isIn }) => isIn(template) || isIn(plain))?.message;
}

const embed = "embed images and fonts as data: URLs";

/** Each check takes linear time, because templates are checked before the caller is authenticated. */
const problems: readonly { readonly isIn: (template: string) => boolean; readonly message: string }[] = [
  { isIn: (text) => /<script\b/i.test(text), message: "contains a script: scripts don't run in it" },
  {
    isIn: (text) => /<link\b/i.test(text),
    message: "contains <link>, but it can't load resources: put the rules into <style>",
  },
  {
    isIn: (text) => /@import\b/i.test(text),
    message: "contains @import, but it can't load resources: put the rules into <style>",
  },
  {
    isIn: (text) => /<(?:iframe|frame|object|embed|video|audio)\b/i.test(text),
    message: "embeds another document, which it can't load",
  },
  {
    isIn: (text) => hasAddressAfter(text, /\burl\(\s*["']?\s*/gi),
    message: `contains an address in url(), but it can't load resources: ${embed}`,
  },
  {
    isIn: (text) =>
      [...pictures(text)].some((tag) => hasAddressAfter(tag, /[\s/"'](?:src|srcset|(?:xlink:)?href)\s*=\s*["']?\s*/gi)),
    message: `contains the address of an image, but it can't load resources: ${embed}`,
  },
];

/** The attributes of image tags: from after the tag name to the end of the tag, which a quoted `>` is not. */
function* pictures(text: string): Generator<string> {
  const beginning = /<(?:img|image|use|feimage|source|input)\b/gi;
  while (beginning.test(text)) {
    const from = beginning.lastIndex;
    beginning.lastIndex = endOfTag(text, from);
    yield text.slice(from, beginning.lastIndex);
  }
}

/** Index of the end of the tag around `from`. */
function endOfTag(text: string, from: number): number {
  const next = /[>"']/g;
  next.lastIndex = from;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[0] === ">") return found.index;
    const closing = text.indexOf(found[0], next.lastIndex);
    if (closing < 0) break;
    next.lastIndex = closing + 1;
  }
  return text.length;
}

/** True if a URL follows a match of `positions`, other than a `data:` URL or a fragment of the template. */
function hasAddressAfter(text: string, positions: RegExp): boolean {
  return [...text.matchAll(positions)].some(({ 0: place, index }) => {
    const inside = /data:|[#"')]|$/iy;
    inside.lastIndex = index + place.length;
    return !inside.test(text);
  });
}

/** Decodes CSS escapes (`\75 rl`) and numeric character references of HTML (`&#117;rl`). */
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
