// Zip files of packages. The same files give the same bytes.
import { type Zippable, zipSync } from "fflate";

/** The first time that a zip file can hold. A zip file has no time zone, and fflate writes the local time. */
const MODIFIED_AT = new Date(1980, 0, 1);

/** The archive of files by their paths. */
export function zipArchive(files: Zippable): Uint8Array {
  return zipSync(files, { level: 9, mtime: MODIFIED_AT });
}
