// Restores a backup into a data folder. What is there is replaced only when the whole backup has been read and checked.
import { createWriteStream, existsSync, lchownSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, normalize, resolve } from "node:path";
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { openDataFolder } from "../../local/engines/data-folder.ts";
import { LocalServiceError } from "../../local/local-service-error.ts";
import {
  BACKUP_FORMAT,
  type BackupHeader,
  HEADER_NAME,
  HeaderSchema,
  readArchive,
  TRAILER_NAME,
  TrailerSchema,
} from "./backup-file.ts";

export interface RestoreOptions {
  readonly dataDir: string;
  /** The backup. It is read once, from its start to its end. */
  readonly source: Readable;
  readonly passphrase: string;
  /** Version of this service. */
  readonly version: string;
  /** Called with how many files are restored so far. */
  readonly onFile?: (files: number) => void;
}

export interface RestoreResult {
  readonly created_at: string;
  readonly files: number;
  /** Where the data is that was there before; undefined when there was none. */
  readonly replaced: string | undefined;
}

/** Parts of a data folder that a backup has. */
const PARTS = ["data", "demo-account.json"];

/**
 * Restores a backup. Throws `LocalServiceError`, and leaves the data as it is, when a service is using the folder, the passphrase is
 * wrong, or the file is broken, cut, of another version, or has a path that is no part of a data folder.
 */
export async function restoreBackup({
  dataDir,
  source,
  passphrase,
  version,
  onFile,
}: RestoreOptions): Promise<RestoreResult> {
  await using started = new AsyncDisposableStack();
  const hadData = existsSync(join(dataDir, "data"));
  const folder = openDataFolder(dataDir); // no service starts meanwhile
  started.defer(() => folder.close());
  const restored = join(resolve(dataDir), "restore.incomplete");
  started.defer(() => rm(restored, { recursive: true, force: true }));
  await rm(restored, { recursive: true, force: true });
  mkdirSync(restored, { mode: 0o700 });

  let header: BackupHeader | undefined;
  let expected: number | undefined;
  let files = 0;
  await readArchive(source, passphrase, async ({ name, type }, content) => {
    if (!header) {
      if (name !== HEADER_NAME) throw new LocalServiceError("The file is no backup of this service.");
      header = requireSameVersion(v.parse(HeaderSchema, await json(content)), version);
    } else if (name === TRAILER_NAME) {
      expected = v.parse(TrailerSchema, await json(content)).files;
    } else {
      const path = join(restored, requireOwnPath(name, type));
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(content, createWriteStream(path, { mode: 0o600, flush: true }));
      files++;
      onFile?.(files);
    }
  });
  if (!header || expected !== files)
    throw new LocalServiceError(
      `The backup is not complete: it has ${files} files of ${expected ?? "an unknown number"}.`,
    );

  const replaced = join(resolve(dataDir), `replaced-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
  mkdirSync(replaced, { mode: 0o700 });
  for (const part of PARTS.filter((each) => existsSync(join(dataDir, each))))
    renameSync(join(dataDir, part), join(replaced, part));
  for (const part of PARTS.filter((each) => existsSync(join(restored, each))))
    renameSync(join(restored, part), join(dataDir, part));
  if (process.getuid?.() === 0) giveToOwner(resolve(dataDir), [...PARTS, basename(replaced)]);
  if (!hadData) await rm(replaced, { recursive: true });
  return { created_at: header.created_at, files, replaced: hadData ? replaced : undefined };
}

/** What root has restored would be closed to the user of the service, to whom the folder belongs. */
function giveToOwner(dataDir: string, parts: readonly string[]): void {
  const { uid, gid } = statSync(dataDir);
  for (const part of parts.filter((each) => existsSync(join(dataDir, each)))) {
    const path = join(dataDir, part);
    const entries = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
    for (const each of [path, ...entries.map((entry) => join(path, entry))]) lchownSync(each, uid, gid);
  }
}

function requireSameVersion(header: BackupHeader, version: string): BackupHeader {
  if (header.format === BACKUP_FORMAT && header.version === version) return header;
  throw new LocalServiceError(
    `The backup is of version ${header.version}, and this is version ${version}. Restore it with version ${header.version}, and upgrade that.`,
  );
}

/** The path below the data folder. */
function requireOwnPath(name: string, type: string | null | undefined): string {
  const isOwn = PARTS.some((part) => name === part || name.startsWith(`${part}/`));
  if (type === "file" && isOwn && normalize(name) === name) return name;
  throw new LocalServiceError(`The backup has the entry '${name}', which is no file of a data folder.`);
}
