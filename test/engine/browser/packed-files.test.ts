// Files that are packed in pieces, as the browser is.

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packFiles, unpackFiles } from "../../../lib/engine/browser/packed-files.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

const PIECE = 4 * 2 ** 20;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packed-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const packed = () => join(folder, "packed");
const unpacked = (path: string) => join(folder, "unpacked", path);

/** Half of it can be packed, half cannot. */
const content = (bytes: number) =>
  Buffer.concat([Buffer.alloc(bytes >> 1, "capture"), randomBytes(bytes - (bytes >> 1))]);

async function packAndUnpack(...files: { path: string; content: Buffer; mode?: number }[]): Promise<void> {
  await packFiles(
    files.map((file) => ({ mode: 0o600, ...file })),
    packed(),
    1,
  );
  await unpackFiles(packed(), join(folder, "unpacked"));
}

sampled(test, 2).each([
  ["nothing", 0],
  ["a byte", 1],
  ["exactly a piece", PIECE],
  ["a piece and a byte", PIECE + 1],
  ["several pieces", 2 * PIECE + 7],
])("packed files: %s is unpacked unchanged", async (_, bytes) => {
  const file = content(bytes);
  await packAndUnpack({ path: "file", content: file });
  expect(readFileSync(unpacked("file")).equals(file)).toBe(true);
});

test("packed files: many files keep content, path and permissions", async () => {
  const files = [3, PIECE + 9, 0, 70].map((bytes, n) => ({
    path: `some/lib-${n}`,
    mode: n % 2 === 0 ? 0o700 : 0o600,
    content: content(bytes),
  }));
  await packAndUnpack(...files);
  for (const { path, mode, content } of files) {
    expect(readFileSync(unpacked(path)).equals(content)).toBe(true);
    expect(statSync(unpacked(path)).mode & 0o777).toBe(mode);
  }
});

test("packed files: unpacking continues while the calling thread is busy", async () => {
  const file = content(3 * PIECE);
  await packFiles([{ path: "file", mode: 0o600, content: file }], packed(), 1);
  const unpacking = unpackFiles(packed(), join(folder, "unpacked"));
  const expiry = performance.now() + 10_000;
  const isThere = () => existsSync(unpacked("file")) && readFileSync(unpacked("file")).equals(file);
  while (!isThere() && performance.now() < expiry) blockThread(50);
  expect(isThere()).toBe(true);
  await unpacking;
});

/** Keeps this thread from everything else for so long, without using the processor. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("packed files: an existing folder is not overwritten", async () => {
  await packAndUnpack({ path: "file", content: content(100) });
  await expect(unpackFiles(packed(), join(folder, "unpacked"))).rejects.toThrow("EEXIST");
});

slowTest.each([
  ["ends too early", (bytes: Buffer) => bytes.subarray(0, -10)],
  ["is damaged", (bytes: Buffer) => bytes.fill(7, bytes.length >> 1)],
  ["has one wrong bit where it could not be packed", (bytes: Buffer) => flipBit(bytes, bytes.length - 1000)],
])("packed files: an archive that %s is rejected", async (_, spoil) => {
  await packFiles([{ path: "file", mode: 0o600, content: content(2 * PIECE) }], packed(), 1);
  writeFileSync(`${packed()}.zst`, spoil(readFileSync(`${packed()}.zst`)));
  await expect(unpackFiles(packed(), join(folder, "unpacked"))).rejects.toThrow();
  expect(readdirSync(folder).toSorted()).toEqual(["packed.json", "packed.zst"]);
});

function flipBit(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

/** The source of a process that unpacks what is packed, and prints its error. */
const unpackingProcess = () => {
  const module = resolve(import.meta.dirname, "../../../lib/engine/browser/packed-files.ts");
  return `import(${JSON.stringify(module)})
    .then(({ unpackFiles }) => unpackFiles(${JSON.stringify(packed())}, ${JSON.stringify(join(folder, "unpacked"))}))
    .then(() => console.log("unpacked"), (error) => console.log(error.message));`;
};

test("packed files: a full disk leaves no truncated file, and the error names the folder", async () => {
  await packFiles([{ path: "file", mode: 0o600, content: content(2 * PIECE - 100) }], packed(), 1);
  // A limit on the size of files does what a full disk does: the last write stores a part of what it was given. In KB.
  const limited = `ulimit -f ${(1.5 * PIECE) / 1024} && exec "$0" -e "$1"`;
  const { stdout } = spawnSync("bash", ["-c", limited, process.execPath, unpackingProcess()], { encoding: "utf8" });
  expect(stdout).toMatch(/^There is no room for the 8 MB of packed in .*unpacked, where [\d,]+ MB are free: EFBIG/);
  expect(readdirSync(folder).toSorted()).toEqual(["packed.json", "packed.zst"]);
});

test("packed files: the incomplete folder of a killed process is replaced", async () => {
  const file = content(2 * PIECE);
  await packFiles([{ path: "file", mode: 0o600, content: file }], packed(), 1);
  const left = join(folder, "unpacked.unfinished");
  mkdirSync(left);
  writeFileSync(join(left, "file"), file.subarray(0, PIECE));
  writeFileSync(join(left, "other"), "");
  await unpackFiles(packed(), join(folder, "unpacked"));
  expect(readFileSync(unpacked("file")).equals(file)).toBe(true);
  expect(readdirSync(join(folder, "unpacked"))).toEqual(["file"]);
  expect(existsSync(left)).toBe(false);
});
