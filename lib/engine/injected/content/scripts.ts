/// <reference lib="dom" />
// Writes superscripts and subscripts in plain text: as characters of Unicode, or as ^(…) and _(…).

export type ScriptSide = "raised" | "lowered";

/** Elements that style sheets raise or lower. */
const STYLED = /^(span|small|font)$/;

/** The side of an element, by its type or by its computed style. Many style sheets reset `vertical-align` of a `sup`. */
export function scriptSide(name: string, style?: CSSStyleDeclaration): ScriptSide | undefined {
  if (name === "sup") return "raised";
  if (name === "sub") return "lowered";
  if (!style || !STYLED.test(name)) return undefined;
  const { verticalAlign } = style;
  if (verticalAlign === "super") return "raised";
  return verticalAlign === "sub" ? "lowered" : undefined;
}

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const [keys, values] = [[...from], [...to]];
  return new Map(keys.map((key, index) => [key, values[index] as string]));
}

const CHARACTERS: Readonly<Record<ScriptSide, ReadonlyMap<string, string>>> = {
  raised: pairs(
    "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθφχ",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᵠᵡ",
  ),
  lowered: pairs("0123456789+-−–=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"),
};

/** The text in characters of Unicode, without its spaces; undefined when one of its characters has none. */
export function toScript(text: string, side: ScriptSide): string | undefined {
  let script = "";
  for (const character of text.replace(/\s+/g, "")) {
    const written = CHARACTERS[side].get(character);
    if (written === undefined) return undefined;
    script += written;
  }
  return script;
}

/** Texts of several words are small print, no power and no index. */
function isSmallPrint(text: string): boolean {
  return text.split(/\s/).filter((word) => /\p{L}{2}/u.test(word)).length > 1;
}

/** A word, such as "beta" after a name, which a search would not find in other characters. */
const WORD = /\p{L}{3}/u;

/** A superscript or subscript in plain text; undefined for text that is merely small. */
export function raisedOrLowered(text: string, side: ScriptSide): string | undefined {
  if (isSmallPrint(text)) return undefined;
  if (!/[\p{L}\p{N}]/u.test(text) && toScript(text, side) === undefined) return text; // a mark such as ™, * or a sign of a currency
  if (side === "raised" && /^(TM|SM)$/.test(text)) return text === "TM" ? "™" : "℠";
  if (side === "raised" && /^(st|nd|rd|th)$/.test(text)) return text; // 1st is as good as 1ˢᵗ
  const script = WORD.test(text) ? undefined : toScript(text, side);
  return script ?? (/^\[.*\]$|^\(.*\)$/.test(text) ? text : `${side === "raised" ? "^" : "_"}(${text})`);
}
