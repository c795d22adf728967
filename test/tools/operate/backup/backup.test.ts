// Backups of a data folder, whole and damaged.
import {
  chownSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import { BACKUP_FORMAT, requirePassphrase, writeArchive } from "../../../../lib/tools/operate/backup/backup-file.ts";
import { restoreBackup } from "../../../../lib/tools/operate/backup/restore-backup.ts";
import { streamBackup, writeBackup } from "../../../../lib/tools/operate/backup/write-backup.ts";
import { temporaryFolder } from "../../local/support.ts";

const passphrase = "correct horse battery staple";
const version = "1.0.0";

let folder: string;
let dataDir: string;
let file: string;
let database: DatabaseSync;
beforeEach(async () => {
  folder = await temporaryFolder();
  [dataDir, file] = [join(folder, "service"), join(folder, "service.backup")];
  mkdirSync(join(dataDir, "data/objects/bucket"), { recursive: true });
  writeFileSync(join(dataDir, "data/objects/bucket/one.data"), "a picture");
  writeFileSync(join(dataDir, "data/kms-keys.json"), '{"secret":"of the service"}');
  writeFileSync(join(dataDir, "demo-account.json"), "{}");
  database = new DatabaseSync(join(dataDir, "data/dynamodb.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE items (id); INSERT INTO items VALUES (1)");
});

const encryption = { passphrase, workFactor: 8 };
const backup = () => writeBackup({ dataDir, file, version, ...encryption });
const restore = (target: string, changes: { source?: Readable; passphrase?: string; version?: string } = {}) =>
  restoreBackup({ dataDir: target, passphrase, version, ...changes, source: changes.source ?? createReadStream(file) });

/** The items of a database. */
const itemsOf = (target: string) =>
  new DatabaseSync(join(target, "data/dynamodb.sqlite")).prepare("SELECT id FROM items").all();

test("backup: is restored into an empty folder, with what a running service had not yet written to the main file of its database", async () => {
  database.exec("INSERT INTO items VALUES (2)"); // in the write-ahead log
  expect(await backup()).toMatchObject({ file, files: 4 });
  const target = join(folder, "other");

  expect(await restore(target)).toMatchObject({ files: 4, replaced: undefined });

  expect(itemsOf(target)).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(readFileSync(join(target, "data/objects/bucket/one.data"), "utf8")).toBe("a picture");
  expect(readdirSync(target).toSorted()).toEqual(["data", "demo-account.json", "logs"]);
});

test("backup: only its owner can read it, and nothing in it is plain text", async () => {
  await backup();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const content = readFileSync(file, "latin1");
  expect(content).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
  expect(content).not.toMatch(/of the service|a picture|kms-keys|1\.0\.0/);
});

test("backup: does not replace a file, and leaves none when it fails", async () => {
  writeFileSync(file, "another");
  await expect(backup()).rejects.toThrow(`${file} exists. Name another file`);
  expect(readFileSync(file, "utf8")).toBe("another");
  await expect(
    writeBackup({ dataDir: join(folder, "none"), file: `${file}2`, version, ...encryption }),
  ).rejects.toThrow("has no data to back up");
  expect(readdirSync(folder).toSorted()).toEqual(["service", "service.backup"]);
});

test("backup: is written to a stream, too", async () => {
  const streamed = createWriteStream(join(folder, "streamed"));
  expect(await streamBackup({ dataDir, version, ...encryption }, () => streamed)).toBe(4);
  const source = createReadStream(join(folder, "streamed"));
  expect(await restore(join(folder, "other"), { source })).toMatchObject({ files: 4 });
});

test.runIf(process.getuid?.() === 0)("restore: by root gives the data to the owner of the folder", async () => {
  await backup();
  const [target, user] = [join(folder, "other"), 12_345];
  mkdirSync(join(target, "data/objects"), { recursive: true });
  chownSync(target, user, user);
  const { replaced = "" } = await restore(target);
  const restored = readdirSync(join(target, "data"), { recursive: true, encoding: "utf8" });
  expect(restored).toContain("objects/bucket/one.data");
  const paths = [
    replaced,
    ...["data", "demo-account.json", ...restored.map((each) => `data/${each}`)].map((each) => join(target, each)),
  ];
  expect(paths.filter((path) => lstatSync(path).uid !== user)).toEqual([]);
});

test.runIf(process.getuid?.() === 0)(
  "restore: by root into an empty folder gives everything to its owner",
  async () => {
    await backup();
    const [target, user] = [join(folder, "other"), 12_345];
    mkdirSync(target);
    chownSync(target, user, user);
    await restore(target);
    const paths = readdirSync(target, { recursive: true, encoding: "utf8" });
    expect(paths).toEqual(expect.arrayContaining(["data/objects", "logs"]));
    expect(paths.filter((path) => lstatSync(join(target, path)).uid !== user)).toEqual([]);
  },
);

test("restore: keeps the data that it replaces", async () => {
  await backup();
  database.exec("INSERT INTO items VALUES (3)");
  database.close();

  const { replaced = "" } = await restore(dataDir);

  expect(itemsOf(dataDir)).toMatchObject([{ id: 1 }]);
  expect(itemsOf(replaced)).toMatchObject([{ id: 1 }, { id: 3 }]);
});

test.each([
  ["the passphrase is wrong", { passphrase: "another passphrase" }, /^The backup cannot be read/],
  [
    "it is of another version",
    { version: "2.0.0" },
    /^The backup is of version 1\.0\.0, and this is version 2\.0\.0\./,
  ],
])("restore: replaces nothing when %s", async (_what, changes, message) => {
  await backup();
  await expectRefused(changes, message);
});

test.each([0.2, 0.6, 0.95, 0.999])(
  "restore: replaces nothing when a backup is cut, or broken, at %d of its length",
  async (share) => {
    await backup();
    const content = readFileSync(file);
    const at = Math.floor(content.length * share);
    const broken = Buffer.from(content);
    broken[at] = (broken[at] ?? 0) ^ 1;
    await expectRefused({ source: Readable.from([content.subarray(0, at)]) }, /^The backup cannot be read/);
    await expectRefused({ source: Readable.from([broken]) }, /^The backup cannot be read/);
  },
);

test.each([
  ["data/../../outside", "which is no file of a data folder"],
  ["/etc/passwd", "which is no file of a data folder"],
  ["logs/api.log", "which is no file of a data folder"],
  ["data/only", "The backup is not complete: it has 1 files of an unknown number."],
])("restore: replaces nothing for a backup with the path %s", async (name, message) => {
  await writeArchive(createWriteStream(file), encryption, async (add) => {
    await add("backup.json", Buffer.from(JSON.stringify({ format: BACKUP_FORMAT, version, created_at: "" })));
    await add(name, Buffer.from("content"));
  });
  await expectRefused({}, message);
  expect(existsSync(join(folder, "outside"))).toBe(false);
});

async function expectRefused(changes: Parameters<typeof restore>[1], message: RegExp | string): Promise<void> {
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  const before = readdirSync(dataDir, { recursive: true }).toSorted();
  await expect(restore(dataDir, changes)).rejects.toThrow(message);
  expect(readdirSync(dataDir, { recursive: true }).toSorted()).toEqual(before);
  expect(readFileSync(join(dataDir, "data/objects/bucket/one.data"), "utf8")).toBe("a picture");
}

test("passphrase: is taken without the line break of its file, and has at least 12 characters", () => {
  expect(requirePassphrase(`${passphrase}\n`)).toBe(passphrase);
  expect(() => requirePassphrase("short\n")).toThrow("The passphrase has 5 characters, and needs 12");
});
