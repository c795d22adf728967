// Gzip files that are compressed in pieces: joined, they are one member, which every reader reads to its end.
import { crc32, gunzipSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressPiece, emptyGzip, endGzip } from "../../../lib/service/account-data/gzip-parts.ts";

/** Joins pieces that are each compressed from the stored state of the last one. */
function compressed(texts: readonly string[]): Buffer {
  let stored = JSON.stringify(emptyGzip);
  const pieces = texts.map((text) => {
    const { data, state } = compressPiece(text, JSON.parse(stored));
    stored = JSON.stringify(state);
    return data;
  });
  return Buffer.concat([...pieces, endGzip(JSON.parse(stored))]);
}

test.each([
  ["nothing", []],
  ["one piece", ["one line\n"]],
  ["three pieces, with texts of more than one byte a character", ["a\n", "ä€😀\n", "last\n".repeat(100_000)]],
])("gzip in pieces: %s is one member of a valid file", (_, texts) => {
  const file = compressed(texts);
  const text = texts.join("");
  expect(gunzipSync(file).toString()).toBe(text);
  expect(inflateRawSync(file.subarray(10, -8)).toString()).toBe(text); // of one member: header, data, trailer
  expect(file.readUInt32LE(file.length - 8)).toBe(crc32(text));
  expect(file.readUInt32LE(file.length - 4)).toBe(Buffer.byteLength(text));
});
