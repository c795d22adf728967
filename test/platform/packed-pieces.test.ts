// Files that are packed in pieces, as the browser is.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packPieces, unpackPieces } from "../../lib/platform/packed-pieces.ts";

const PIECE = 4 * 2 ** 20;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pieces-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Half of it can be packed, half cannot. */
const content = (bytes: number) =>
  Buffer.concat([Buffer.alloc(bytes >> 1, "capture"), randomBytes(bytes - (bytes >> 1))]);

test.each([
  ["nothing", 0],
  ["a byte", 1],
  ["exactly a piece", PIECE],
  ["a piece and a byte", PIECE + 1],
  ["more pieces than are unpacked at once", 5 * PIECE - 7],
])("%s is unpacked as it was", async (_, bytes) => {
  const file = content(bytes);
  await packPieces(file, join(folder, "packed"), 1);
  await unpackPieces(join(folder, "packed"), join(folder, "unpacked"), 0o700);
  expect(readFileSync(join(folder, "unpacked")).equals(file)).toBe(true);
  expect(statSync(join(folder, "unpacked")).mode & 0o777).toBe(0o700);
});

test("what was there before is gone", async () => {
  writeFileSync(join(folder, "older"), content(100));
  await packPieces(content(10), join(folder, "packed"), 1);
  await unpackPieces(join(folder, "packed"), join(folder, "older"), 0o700);
  expect(statSync(join(folder, "older")).size).toBe(10);
});

test("the pieces together are a file that any zstd reads", async () => {
  const file = content(2 * PIECE + 3);
  await packPieces(file, join(folder, "packed"), 1);
  expect(zstdDecompressSync(readFileSync(join(folder, "packed.zst"))).equals(file)).toBe(true);
});

test("what is damaged is not unpacked", async () => {
  await packPieces(content(PIECE), join(folder, "packed"), 1);
  const packed = readFileSync(join(folder, "packed.zst"));
  writeFileSync(join(folder, "packed.zst"), packed.subarray(0, packed.length - 10));
  await expect(unpackPieces(join(folder, "packed"), join(folder, "unpacked"), 0o700)).rejects.toThrow();
});
