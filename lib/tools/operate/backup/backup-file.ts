// The format of a backup: a tar archive (POSIX.1-2001), compressed with zstd (RFC 8878) and encrypted with a passphrase by age.
// `age --decrypt backup.age | zstd -d | tar x` reads it, without this program. age (https://age-encryption.org/v1) is an open
// format with independent implementations that authenticates each part and the end of the file, so a broken or cut file is
// found. tar and zstd, or an archive of our own, would have neither encryption nor that.
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { extract, type Header, pack } from "tar-stream";
import * as v from "valibot";
import { LocalServiceError } from "../../local/local-service-error.ts";

/** The version of the layout of the archive. */
export const BACKUP_FORMAT = 1;

/** The first entry: what the archive contains. */
export const HEADER_NAME = "backup.json";

/** The last entry, without which the archive is not complete. */
export const TRAILER_NAME = "complete.json";

export const HeaderSchema = v.object({
  format: v.number(),
  /** Version of the service that wrote the data. */
  version: v.string(),
  /** ISO 8601, in UTC. */
  created_at: v.string(),
});

export type BackupHeader = v.InferOutput<typeof HeaderSchema>;

export const TrailerSchema = v.object({ files: v.number() });

/** Longer than what can be guessed: a backup has all secrets of the service, and an attacker who has the file can guess without limit. */
export const MIN_PASSPHRASE_LENGTH = 12;

/** Throws `LocalServiceError` for a passphrase that is too short. */
export function requirePassphrase(text: string): string {
  const passphrase = text.replace(/\r?\n$/, "");
  if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return passphrase;
  throw new LocalServiceError(
    `The passphrase has ${passphrase.length} characters, and needs ${MIN_PASSPHRASE_LENGTH}: a backup has all secrets of the service.`,
  );
}

/** Appends a file to the archive. Resolves when it is written. A stream needs the number of its bytes, `size`. */
export type AddEntry = (
  name: string,
  content: Buffer | { readonly stream: Readable; readonly size: number },
) => Promise<void>;

export interface Encryption {
  readonly passphrase: string;
  /**
   * The binary logarithm of the cost of scrypt, which an attacker pays for each guess. Tests take less.
   * @default 18, a second
   */
  readonly workFactor?: number;
}

/** Writes an archive: `fill` appends its entries. Resolves when `target` has ended. */
export async function writeArchive(
  target: Writable,
  { passphrase, workFactor = 18 }: Encryption,
  fill: (add: AddEntry) => Promise<void>,
): Promise<void> {
  const archive = pack();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  const compressed = archive.pipe(createZstdCompress());
  archive.on("error", (error) => compressed.destroy(error));
  const encrypted = await encrypter.encrypt(Readable.toWeb(compressed) as ReadableStream<Uint8Array>);
  const written = pipeline(Readable.from(encrypted), target);
  const filled = fill(async (name, content) => {
    const { stream, size } = Buffer.isBuffer(content)
      ? { stream: Readable.from([content]), size: content.length }
      : content;
    await pipeline(stream, archive.entry({ name, size, mode: 0o600 }));
  }).then(
    () => archive.finalize(),
    (error) => {
      archive.destroy(error);
      throw error;
    },
  );
  await Promise.all([filled, written]);
}

/**
 * Reads an archive entry by entry, in order. Throws `LocalServiceError` when the passphrase is wrong, or the file is broken, cut, or
 * no backup. What was read before may be incomplete, until this resolves.
 */
export async function readArchive(
  source: Readable,
  passphrase: string,
  onEntry: (header: Header, content: Readable) => Promise<void>,
): Promise<void> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const decrypted = await decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
    const entries = extract();
    const reading = pipeline(Readable.from(decrypted), createZstdDecompress(), entries);
    const handling = (async () => {
      for await (const entry of entries) await onEntry(entry.header, entry as unknown as Readable);
    })();
    await Promise.all([reading, handling]);
  } catch (cause) {
    if (cause instanceof LocalServiceError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LocalServiceError(
      `The backup cannot be read (${reason}). The passphrase is wrong, or the file is broken, cut, or no backup.`,
      { cause },
    );
  }
}
