// TrueType and OpenType files as their tables: read apart and put together again.

/** Tables by their tag of four characters. */
export type Tables = ReadonlyMap<string, Buffer>;

const HEADER_BYTES = 12;
const RECORD_BYTES = 16;
const TRUETYPE = 0x00010000;
/** `head.checkSumAdjustment` makes the sums of a whole file come to this. */
const WHOLE_SUM = 0xb1b0afba;

/** See "Organization of an OpenType Font" in the OpenType specification. */
export function readTables(font: Buffer): Tables {
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = HEADER_BYTES + index * RECORD_BYTES;
    const offset = font.readUInt32BE(record + 8);
    const length = font.readUInt32BE(record + 12);
    tables.set(font.toString("latin1", record, record + 4), font.subarray(offset, offset + length));
  }
  return tables;
}

/** The table of that tag. Throws where the font has none. */
export function tableOf(tables: Tables, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) throw new Error(`The font has no table ${tag}.`);
  return table;
}

/** A TrueType file of these tables; `head` gets its checksum. */
export function writeFont(tables: Tables): Buffer {
  const sorted = [...tables].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const head = Buffer.from(tableOf(tables, "head"));
  head.writeUInt32BE(0, 8);
  const directory = Buffer.alloc(HEADER_BYTES + sorted.length * RECORD_BYTES);
  const exponent = Math.floor(Math.log2(sorted.length));
  directory.writeUInt32BE(TRUETYPE, 0);
  directory.writeUInt16BE(sorted.length, 4);
  directory.writeUInt16BE(2 ** exponent * RECORD_BYTES, 6);
  directory.writeUInt16BE(exponent, 8);
  directory.writeUInt16BE((sorted.length - 2 ** exponent) * RECORD_BYTES, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, [tag, content]] of sorted.entries()) {
    const padded = padToWords(tag === "head" ? head : content);
    const record = HEADER_BYTES + index * RECORD_BYTES;
    directory.write(tag, record, "latin1");
    directory.writeUInt32BE(sumOf(padded), record + 4);
    directory.writeUInt32BE(offset, record + 8);
    directory.writeUInt32BE(content.length, record + 12);
    parts.push(padded);
    offset += padded.length;
  }
  const font = Buffer.concat(parts);
  font.writeUInt32BE((WHOLE_SUM - sumOf(font)) >>> 0, headOffset(font) + 8);
  return font;
}

function padToWords(table: Buffer): Buffer {
  const missing = -table.length & 3;
  return missing === 0 ? table : Buffer.concat([table, Buffer.alloc(missing)]);
}

function sumOf(words: Buffer): number {
  let sum = 0;
  for (let offset = 0; offset < words.length; offset += 4) sum = (sum + words.readUInt32BE(offset)) >>> 0;
  return sum;
}

function headOffset(font: Buffer): number {
  return tableOf(readTables(font), "head").byteOffset - font.byteOffset;
}
