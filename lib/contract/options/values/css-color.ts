// Parses CSS colors (https://www.w3.org/TR/css-color-4/) without a browser.
import {
  converter,
  modeA98,
  modeHsl,
  modeHwb,
  modeLab,
  modeLch,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeP3,
  modeProphoto,
  modeRec2020,
  modeRgb,
  modeXyz50,
  modeXyz65,
  parse,
  useMode,
} from "culori/fn";

const modes = [modeRgb, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch];
const colorSpaces = [modeA98, modeLrgb, modeP3, modeProphoto, modeRec2020, modeXyz50, modeXyz65];
for (const mode of [...modes, ...colorSpaces]) useMode(mode as typeof modeRgb);
const toSrgb = converter("rgb");

/** In sRGB: red, green and blue from 0 to 255, alpha from 0 to 1. */
export interface Rgba {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly alpha: number;
}

/**
 * Parses a CSS Color 4 color: a name, `transparent`, hexadecimal or a function such as `oklch()` or `color()`. Undefined for
 * anything else, including `currentcolor` and system colors. Colors outside of sRGB are clipped, as in Chromium.
 */
export function parseCssColor(text: string): Rgba | undefined {
  if (/^[0-9a-f]+$/i.test(text)) return undefined; // culori reads hexadecimal without its #
  const color = toSrgb(parse(text.toLowerCase()));
  if (!color) return undefined;
  const [r, g, b] = [color.r, color.g, color.b].map((share) => Math.round(clipped(share) * 255));
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0, alpha: clipped(color.alpha ?? 1) };
}

function clipped(share: number): number {
  return Math.min(1, Math.max(0, share));
}
