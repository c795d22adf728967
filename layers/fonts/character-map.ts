// `cmap`, the table that says which glyph draws a character: read from any Unicode encoding, written as format 12.
import { type Tables, tableOf } from "./sfnt.ts";

/** Glyphs by code point. */
export type CharacterMap = Map<number, number>;

/** Reads the widest Unicode map of a font. See `cmap` in the OpenType specification. */
export function readCharacterMap(tables: Tables): CharacterMap {
  const cmap = tableOf(tables, "cmap");
  const formats = new Map<number, Buffer>();
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const subtable = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    formats.set(subtable.readUInt16BE(0), subtable);
  }
  const full = formats.get(12);
  if (full) return readFormat12(full);
  const basic = formats.get(4);
  if (basic) return readFormat4(basic);
  throw new Error("The font has no Unicode map of characters.");
}

/** A `cmap` of one map of format 12. */
export function writeCharacterMap(map: CharacterMap): Buffer {
  const groups: [first: number, last: number, glyph: number][] = [];
  for (const [code, glyph] of [...map].toSorted(([one], [other]) => one - other)) {
    const group = groups.at(-1);
    if (group && group[1] === code - 1 && group[2] + code - group[0] === glyph) group[1] = code;
    else groups.push([code, code, glyph]);
  }
  const table = Buffer.alloc(12 + 16 + groups.length * 12);
  table.writeUInt16BE(1, 2); // one map
  table.writeUInt16BE(3, 4); // platform Windows
  table.writeUInt16BE(10, 6); // all of Unicode
  table.writeUInt32BE(12, 8);
  table.writeUInt16BE(12, 12); // format
  table.writeUInt32BE(16 + groups.length * 12, 16);
  table.writeUInt32BE(groups.length, 24);
  for (const [index, values] of groups.entries()) {
    for (const [column, value] of values.entries()) table.writeUInt32BE(value, 28 + index * 12 + column * 4);
  }
  return table;
}

function readFormat12(table: Buffer): CharacterMap {
  const map: CharacterMap = new Map();
  for (let group = 0; group < table.readUInt32BE(12); group++) {
    const offset = 16 + group * 12;
    const first = table.readUInt32BE(offset);
    const last = table.readUInt32BE(offset + 4);
    for (let code = first; code <= last; code++) map.set(code, table.readUInt32BE(offset + 8) + code - first);
  }
  return map;
}

function readFormat4(table: Buffer): CharacterMap {
  const map: CharacterMap = new Map();
  const doubleCount = table.readUInt16BE(6);
  for (let offset = 14; offset < 14 + doubleCount; offset += 2) {
    const last = table.readUInt16BE(offset);
    const first = table.readUInt16BE(offset + doubleCount + 2);
    const delta = table.readUInt16BE(offset + 2 * doubleCount + 2);
    const rangeAt = offset + 3 * doubleCount + 2;
    const range = table.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = range === 0 ? code : table.readUInt16BE(rangeAt + range + (code - first) * 2);
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) map.set(code, glyph);
    }
  }
  return map;
}
