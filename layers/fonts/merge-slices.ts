// Puts a family together again that is published in slices of a hundred characters or so, as web pages load it.
import { type CharacterMap, readCharacterMap, writeCharacterMap } from "./character-map.ts";
import { writeNames } from "./names.ts";
import { readTables, type Tables, tableOf, writeFont } from "./sfnt.ts";
import { readVerticalForms, writeVerticalForms } from "./vertical-forms.ts";

/** What is the same in every slice, or matters little enough to be taken from the first. */
const SHARED = ["BASE", "gasp", "post", "prep"];

interface Glyphs {
  readonly outlines: Buffer[];
  /** Advance and bearing of each glyph, four bytes each. */
  readonly horizontal: Buffer[];
  readonly vertical: Buffer[];
  readonly characters: CharacterMap;
  readonly verticalForms: Map<number, number>;
}

/**
 * One TrueType font of the glyphs of all slices, each of them TrueType and of a single weight. Substitutions other than
 * vertical forms, and kerning, are left behind: they would need the glyphs of several slices at once.
 */
export function mergeSlices(slices: readonly Buffer[], family: string): Buffer {
  const fonts = slices.map(readTables);
  const first = fonts[0];
  if (!first) throw new Error(`There are no slices of ${family}.`);
  const merged: Glyphs = {
    outlines: [],
    horizontal: [],
    vertical: [],
    characters: new Map(),
    verticalForms: new Map(),
  };
  for (const font of fonts) addGlyphs(font, merged);
  const count = merged.outlines.length;
  const tables = new Map(SHARED.flatMap((tag) => (first.has(tag) ? [[tag, tableOf(first, tag)]] : [])));
  return writeFont(
    tables
      .set("head", withNumber(tableOf(first, "head"), 50, 1)) // long offsets in `loca`
      .set("hhea", withNumber(tableOf(first, "hhea"), 34, count))
      .set("vhea", withNumber(tableOf(first, "vhea"), 34, count))
      .set("maxp", largestMaxima(fonts, count))
      .set("OS/2", mergedOs2(fonts))
      .set("name", writeNames(family, "Regular"))
      .set("cmap", writeCharacterMap(merged.characters))
      .set("glyf", Buffer.concat(merged.outlines))
      .set("loca", offsets(merged.outlines))
      .set("hmtx", Buffer.concat(merged.horizontal))
      .set("vmtx", Buffer.concat(merged.vertical))
      .set("GSUB", writeVerticalForms(merged.verticalForms)),
  );
}

/** Appends the glyphs of a slice. Glyph 0 is the empty box in every one of them, and is kept once. */
function addGlyphs(font: Tables, merged: Glyphs): void {
  const known = merged.outlines.length;
  const shift = known === 0 ? 0 : known - 1;
  const moved = (glyph: number) => (glyph === 0 ? 0 : glyph + shift);
  const outlines = outlinesOf(font);
  const kept = known === 0 ? 0 : 1;
  merged.outlines.push(...outlines.slice(kept).map((outline) => padded(renumbered(outline, moved))));
  merged.horizontal.push(...metricsOf(font, "hhea", "hmtx", outlines.length).slice(kept));
  merged.vertical.push(...metricsOf(font, "vhea", "vmtx", outlines.length).slice(kept));
  for (const [code, glyph] of readCharacterMap(font)) {
    if (!merged.characters.has(code)) merged.characters.set(code, moved(glyph));
  }
  for (const [glyph, form] of readVerticalForms(font.get("GSUB"))) merged.verticalForms.set(moved(glyph), moved(form));
}

function outlinesOf(font: Tables): Buffer[] {
  const loca = tableOf(font, "loca");
  const glyf = tableOf(font, "glyf");
  const isLong = tableOf(font, "head").readInt16BE(50) === 1;
  const offset = (index: number) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2);
  const count = tableOf(font, "maxp").readUInt16BE(4);
  return Array.from({ length: count }, (_, glyph) => glyf.subarray(offset(glyph), offset(glyph + 1)));
}

/** The glyph with the numbers of those it is composed of changed. See "Composite Glyph Description" in `glyf`. */
function renumbered(outline: Buffer, moved: (glyph: number) => number): Buffer {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return outline;
  return patched(outline, (composite) => {
    let offset = 10;
    for (let flags = MORE_COMPONENTS; flags & MORE_COMPONENTS; ) {
      flags = composite.readUInt16BE(offset);
      composite.writeUInt16BE(moved(composite.readUInt16BE(offset + 2)), offset + 2);
      offset += 4 + (flags & WORD_ARGUMENTS ? 4 : 2);
      if (flags & ONE_SCALE) offset += 2;
      else if (flags & TWO_SCALES) offset += 4;
      else if (flags & MATRIX) offset += 8;
    }
  });
}

const WORD_ARGUMENTS = 0x0001;
const ONE_SCALE = 0x0008;
const MORE_COMPONENTS = 0x0020;
const TWO_SCALES = 0x0040;
const MATRIX = 0x0080;

/** Four bytes for every glyph; in the file, those at the end that share an advance leave it out. */
function metricsOf(font: Tables, headerTag: string, tag: string, count: number): Buffer[] {
  const full = tableOf(font, headerTag).readUInt16BE(34);
  const table = tableOf(font, tag);
  return Array.from({ length: count }, (_, glyph) => {
    if (glyph < full) return table.subarray(glyph * 4, glyph * 4 + 4);
    const bearingAt = full * 4 + (glyph - full) * 2;
    return Buffer.concat([table.subarray(full * 4 - 4, full * 4 - 2), table.subarray(bearingAt, bearingAt + 2)]);
  });
}

function offsets(outlines: readonly Buffer[]): Buffer {
  const loca = Buffer.alloc((outlines.length + 1) * 4);
  let offset = 0;
  for (const [glyph, { length }] of outlines.entries()) {
    offset += length;
    loca.writeUInt32BE(offset, (glyph + 1) * 4);
  }
  return loca;
}

/** `maxp`: the most of everything that any slice states. */
function largestMaxima(fonts: readonly Tables[], count: number): Buffer {
  return patched(tableOf(fonts[0] as Tables, "maxp"), (maxp) => {
    for (let offset = 6; offset < maxp.length; offset += 2) {
      maxp.writeUInt16BE(Math.max(...fonts.map((font) => tableOf(font, "maxp").readUInt16BE(offset))), offset);
    }
    maxp.writeUInt16BE(count, 4);
  });
}

/** `OS/2` with the Unicode ranges and code pages of all slices. */
function mergedOs2(fonts: readonly Tables[]): Buffer {
  return patched(tableOf(fonts[0] as Tables, "OS/2"), (os2) => {
    for (const offset of [42, 46, 50, 54, 78, 82]) {
      const bits = fonts.reduce((sum, font) => sum | tableOf(font, "OS/2").readUInt32BE(offset), 0);
      os2.writeUInt32BE(bits >>> 0, offset);
    }
  });
}

function withNumber(table: Buffer, offset: number, value: number): Buffer {
  return patched(table, (copy) => copy.writeUInt16BE(value, offset));
}

function patched(table: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(table);
  change(copy);
  return copy;
}

/** Outlines start at even offsets. */
function padded(outline: Buffer): Buffer {
  return outline.length % 2 === 0 ? outline : Buffer.concat([outline, Buffer.alloc(1)]);
}
