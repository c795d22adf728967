// Removes a table from a TrueType or OpenType file: HarfBuzz's subsetter can do it too, but drops color tables with it.

const HEADER_BYTES = 12;
const RECORD_BYTES = 16;
/** `head.checkSumAdjustment` is at this offset, and makes the sum of a whole file come to this number. */
const ADJUSTMENT_OFFSET = 8;
const FILE_SUM = 0xb1b0afba;

/** The font without the table of this tag. See "Organization of an OpenType Font" in the OpenType specification. */
export function dropTable(font: Buffer, tag: string): Buffer {
  const records = tableRecords(font).filter((record) => record.toString("latin1", 0, 4) !== tag);
  const directory = Buffer.concat([header(font, records.length), ...records]);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  let headOffset = 0;
  for (const [index, record] of records.entries()) {
    const table = paddedToWords(
      font.subarray(record.readUInt32BE(8), record.readUInt32BE(8) + record.readUInt32BE(12)),
    );
    if (record.toString("latin1", 0, 4) === "head") headOffset = offset;
    directory.writeUInt32BE(offset, HEADER_BYTES + index * RECORD_BYTES + 8);
    parts.push(table);
    offset += table.length;
  }
  const result = Buffer.concat(parts);
  result.writeUInt32BE(0, headOffset + ADJUSTMENT_OFFSET);
  result.writeUInt32BE((FILE_SUM - sumOfWords(result)) >>> 0, headOffset + ADJUSTMENT_OFFSET);
  return result;
}

/** Tag, checksum, offset and length of each table. */
function tableRecords(font: Buffer): Buffer[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) =>
    font.subarray(HEADER_BYTES + index * RECORD_BYTES, HEADER_BYTES + (index + 1) * RECORD_BYTES),
  );
}

/** The kind of the font, the number of its tables, and three numbers for a binary search in them. */
function header(font: Buffer, tables: number): Buffer {
  const exponent = Math.floor(Math.log2(tables));
  const result = Buffer.from(font.subarray(0, HEADER_BYTES));
  result.writeUInt16BE(tables, 4);
  result.writeUInt16BE(2 ** exponent * RECORD_BYTES, 6);
  result.writeUInt16BE(exponent, 8);
  result.writeUInt16BE((tables - 2 ** exponent) * RECORD_BYTES, 10);
  return result;
}

function paddedToWords(table: Buffer): Buffer {
  return Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
}

function sumOfWords(font: Buffer): number {
  let sum = 0;
  for (let offset = 0; offset < font.length; offset += 4) sum = (sum + font.readUInt32BE(offset)) >>> 0;
  return sum;
}
