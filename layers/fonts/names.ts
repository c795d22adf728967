// The table `name` of a font: what it is called.

/** A `name` table of family, style, full name and PostScript name, in English. */
export function writeNames(family: string, style: string): Buffer {
  const values: [id: number, value: string][] = [
    [1, family],
    [2, style],
    [4, `${family} ${style}`],
    [6, `${family.replaceAll(" ", "")}-${style}`],
  ];
  const strings = values.map(([, value]) => Buffer.from(value, "utf16le").swap16());
  const table = Buffer.alloc(6 + values.length * 12);
  table.writeUInt16BE(values.length, 2);
  table.writeUInt16BE(table.length, 4);
  let offset = 0;
  for (const [index, [id]] of values.entries()) {
    const length = strings[index]?.length ?? 0;
    const record = [3, 1, 0x409, id, length, offset]; // Windows, Unicode, American English
    for (const [column, value] of record.entries()) table.writeUInt16BE(value, 6 + index * 12 + column * 2);
    offset += length;
  }
  return Buffer.concat([table, ...strings]);
}
