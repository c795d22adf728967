// Paper formats, and parsers for lengths and margins. All results are in inches.

export interface PaperSize {
  readonly width: number;
  readonly height: number;
}

export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export const paperFormats = {
  a0: millimetres(841, 1189),
  a1: millimetres(594, 841),
  a2: millimetres(420, 594),
  a3: millimetres(297, 420),
  a4: millimetres(210, 297),
  a5: millimetres(148, 210),
  a6: millimetres(105, 148),
  letter: { width: 8.5, height: 11 },
  legal: { width: 8.5, height: 14 },
  tabloid: { width: 11, height: 17 },
  ledger: { width: 17, height: 11 },
} as const satisfies Record<string, PaperSize>;

/** Default paper of a PDF. */
export const DEFAULT_PAPER: PaperSize = paperFormats.a4;

/** Absolute CSS units per inch. */
const unitsPerInch: ReadonlyMap<string, number> = new Map(
  Object.entries({ in: 1, cm: 2.54, mm: 25.4, pt: 72, pc: 6, px: 96 }),
);

/** A length such as `1cm`, `0.4in`, `12px` or a bare number of CSS pixels; undefined if it is invalid or negative. */
export function parseLength(length: string | number): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6}(?:\.\d{1,17})?|\.\d{1,17})\s*([a-z]*)$/i.exec(String(length).trim()) ?? [];
  const perInch = unitsPerInch.get(unit.toLowerCase() || "px");
  return amount === undefined || perInch === undefined ? undefined : Number(amount) / perInch;
}

/** Parses the CSS shorthand for margins: one to four lengths, clockwise from the top. */
export function parseMargins(shorthand: string | number): Margins | undefined {
  const lengths = String(shorthand).trim().split(/\s+/).map(parseLength);
  const [top, right = top, bottom = top, left = right] = lengths;
  if (lengths.length > 4 || lengths.includes(undefined)) return undefined;
  if (top === undefined || right === undefined || bottom === undefined || left === undefined) return undefined;
  return { top, right, bottom, left };
}

function millimetres(width: number, height: number): PaperSize {
  return { width: width / 25.4, height: height / 25.4 };
}
