// Compressed tar files of packages. The same files give the same bytes.
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";

/** As npm has it: before 1980, the times of a zip file could not hold what is unpacked. */
const MODIFIED_AT = new Date("1985-10-26T08:15:00Z");

/** Resolves to the archive of files with their paths. */
export async function tarArchive(files: readonly (readonly [path: string, content: Buffer])[]): Promise<Buffer> {
  const archive = tar.pack();
  for (const [name, content] of files) archive.entry({ name, mtime: MODIFIED_AT, mode: 0o644 }, content);
  archive.finalize();
  return gzipSync(await buffer(archive), { level: 9 });
}
