// Backs up the data folder of a service on this machine, which may be running: its tables, queues, objects, schedules, and keys.
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { Writable } from "node:stream";
import { LocalServiceError } from "../../local/local-service-error.ts";
import {
  type AddEntry,
  BACKUP_FORMAT,
  type BackupHeader,
  type Encryption,
  HEADER_NAME,
  TRAILER_NAME,
  writeArchive,
} from "./backup-file.ts";

/** The databases of the engines, relative to the data folder. */
const DATABASES = ["data/dynamodb.sqlite", "data/queues/fauxqs.db"];

/** Folders of files that are written once or replaced as a whole. */
const FOLDERS = ["data/objects", "data/schedules"];

/** Files that are replaced as a whole. */
const FILES = ["data/kms-keys.json", "demo-account.json"];

export interface BackupOptions extends Encryption {
  readonly dataDir: string;
  /** Version of the service. */
  readonly version: string;
  /** Called with how many files are in the backup so far. */
  readonly onFile?: (files: number) => void;
}

export interface BackupResult {
  readonly file: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes a backup to a file that must not exist. It is readable by its owner only and appears when it is complete. Otherwise like
 * `streamBackup`.
 */
export async function writeBackup({
  file,
  ...options
}: BackupOptions & { readonly file: string }): Promise<BackupResult> {
  if (existsSync(file)) throw new LocalServiceError(`${file} exists. Name another file, or move it away.`);
  const incomplete = `${file}.incomplete`;
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(incomplete, { force: true }));
  const files = await streamBackup(options, () => createWriteStream(incomplete, { mode: 0o600, flush: true }));
  await rename(incomplete, file);
  return { file, files, bytes: (await stat(file)).size };
}

/**
 * Writes a backup that is consistent while the service runs: both databases are copied as they are at the same moment, and each object
 * that they name is in it. Resolves to the number of its files. Throws `LocalServiceError` when there is no data; nothing is opened then.
 */
export async function streamBackup(
  { dataDir, version, onFile, ...encryption }: BackupOptions,
  open: () => Writable,
): Promise<number> {
  if (!existsSync(join(dataDir, "data")))
    throw new LocalServiceError(`The data folder ${dataDir} has no data to back up.`);
  const temporary = mkdtempSync(join(dataDir, "backup.incomplete-")); // as large as the databases, which /tmp may not be
  using cleanUp = new DisposableStack();
  cleanUp.defer(() => rmSync(temporary, { recursive: true, force: true }));

  let files = 0;
  await writeArchive(open(), encryption, async (append) => {
    const add: AddEntry = async (name, content) => {
      await append(name, content);
      files++;
      onFile?.(files);
    };
    const header: BackupHeader = { format: BACKUP_FORMAT, version, created_at: new Date().toISOString() };
    await append(HEADER_NAME, Buffer.from(JSON.stringify(header)));
    const written = new Map<string, number>();
    const addFolders = () => addChanged(add, dataDir, written);
    // Before and after the databases are copied: each object that they name is then in the backup, also one that is deleted meanwhile.
    await addFolders();
    const copies = await copyDatabases(dataDir, temporary);
    await addFolders();
    for (const name of FILES.filter((each) => existsSync(join(dataDir, each))))
      await add(name, await readFile(join(dataDir, name)));
    for (const [name, path] of copies)
      await add(name, { stream: createReadStream(path), size: (await stat(path)).size });
    await append(TRAILER_NAME, Buffer.from(JSON.stringify({ files })));
  });
  return files;
}

/** Adds the files of the folders that are new or have changed since the last call. `written` has the times of those that were added. */
async function addChanged(add: AddEntry, dataDir: string, written: Map<string, number>): Promise<void> {
  for (const folder of FOLDERS.map((each) => join(dataDir, each)).filter(existsSync)) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(dataDir, path);
      if (!entry.isFile()) continue;
      const file = await readChanged(path, written.get(name));
      if (!file) continue;
      await add(name, file.bytes);
      written.set(name, file.modifiedMs);
    }
  }
}

/** Reads a file unless it has this time. Undefined for an unchanged file, and for one that was deleted meanwhile. */
async function readChanged(
  path: string,
  lastModifiedMs: number | undefined,
): Promise<{ readonly bytes: Buffer; readonly modifiedMs: number } | undefined> {
  try {
    const { mtimeMs: modifiedMs } = await stat(path);
    return modifiedMs === lastModifiedMs ? undefined : { bytes: await readFile(path), modifiedMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Copies the databases to a folder, both as of the same moment: a read transaction of SQLite's write-ahead log sees the database as it is
 * when the transaction begins, while others write. https://www.sqlite.org/isolation.html
 */
async function copyDatabases(dataDir: string, folder: string): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  const opened = DATABASES.filter((name) => existsSync(join(dataDir, name))).map((name) => {
    return { name, database: new DatabaseSync(join(dataDir, name)) };
  });
  try {
    for (const { database } of opened) database.exec("BEGIN; SELECT count(*) FROM sqlite_master;");
    for (const [index, { name, database }] of opened.entries()) {
      const path = join(folder, `${index}.sqlite`);
      await backup(database, path);
      copies.set(name, path);
    }
    return copies;
  } finally {
    for (const { database } of opened) database.close();
  }
}
