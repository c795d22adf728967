// The feature `vert` of `GSUB`, which gives the marks of vertical text their own forms: read from one font, written to another.

/** The glyph to take in vertical text, by the glyph of horizontal text. */
export type VerticalForms = ReadonlyMap<number, number>;

const SINGLE = 1;
const EXTENSION = 7;

/** Reads the single substitutions of `vert`. See `GSUB` in the OpenType specification. */
export function readVerticalForms(gsub: Buffer | undefined): VerticalForms {
  const forms = new Map<number, number>();
  for (const lookup of gsub ? lookupsOf(gsub, "vert") : []) {
    for (const subtable of subtablesOf(lookup)) readSingles(subtable, forms);
  }
  return forms;
}

/** A `GSUB` that has these forms and nothing else. */
export function writeVerticalForms(forms: VerticalForms): Buffer {
  const pairs = [...forms].toSorted(([one], [other]) => one - other);
  const scripts = words(1, ...tag("DFLT"), 8, 4, 0, 0, 0xffff, 1, 0);
  const features = words(1, ...tag("vert"), 8, 0, 1, 0);
  const substitution = words(2, 6 + pairs.length * 2, pairs.length, ...pairs.map(([, form]) => form));
  const coverage = words(1, pairs.length, ...pairs.map(([glyph]) => glyph));
  const lookups = words(1, 4, SINGLE, 0, 1, 8);
  const featuresAt = 10 + scripts.length;
  const header = words(1, 0, 10, featuresAt, featuresAt + features.length);
  return Buffer.concat([header, scripts, features, lookups, substitution, coverage]);
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2);
  return buffer;
}

function tag(name: string): [number, number] {
  const bytes = Buffer.from(name, "latin1");
  return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
}

function lookupsOf(gsub: Buffer, name: string): Buffer[] {
  const features = gsub.subarray(gsub.readUInt16BE(6));
  const lookups = gsub.subarray(gsub.readUInt16BE(8));
  const indices = new Set<number>();
  for (let index = 0; index < features.readUInt16BE(0); index++) {
    const record = 2 + index * 6;
    if (features.toString("latin1", record, record + 4) !== name) continue;
    const feature = features.subarray(features.readUInt16BE(record + 4));
    for (const lookup of list(feature, 2)) indices.add(lookup);
  }
  return [...indices].map((index) => lookups.subarray(lookups.readUInt16BE(2 + index * 2)));
}

function subtablesOf(lookup: Buffer): Buffer[] {
  const type = lookup.readUInt16BE(0);
  const subtables = list(lookup, 4).map((offset) => lookup.subarray(offset));
  if (type === SINGLE) return subtables;
  if (type !== EXTENSION) return [];
  return subtables
    .filter((subtable) => subtable.readUInt16BE(2) === SINGLE)
    .map((subtable) => subtable.subarray(subtable.readUInt32BE(4)));
}

function readSingles(subtable: Buffer, into: Map<number, number>): void {
  const glyphs = readCoverage(subtable.subarray(subtable.readUInt16BE(2)));
  const isDelta = subtable.readUInt16BE(0) === 1;
  for (const [index, glyph] of glyphs.entries()) {
    into.set(glyph, isDelta ? (glyph + subtable.readUInt16BE(4)) & 0xffff : subtable.readUInt16BE(6 + index * 2));
  }
}

function readCoverage(coverage: Buffer): number[] {
  if (coverage.readUInt16BE(0) === 1) return list(coverage, 2);
  const glyphs: number[] = [];
  for (let range = 0; range < coverage.readUInt16BE(2); range++) {
    const first = coverage.readUInt16BE(4 + range * 6);
    const last = coverage.readUInt16BE(6 + range * 6);
    for (let glyph = first; glyph <= last; glyph++) glyphs.push(glyph);
  }
  return glyphs;
}

/** A count, followed by so many numbers of 16 bits. */
function list(table: Buffer, at: number): number[] {
  return Array.from({ length: table.readUInt16BE(at) }, (_, index) => table.readUInt16BE(at + 2 + index * 2));
}
