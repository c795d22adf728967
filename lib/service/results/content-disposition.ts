// The Content-Disposition header of a result: inline, or a download under a file name (RFC 6266).
import { encodeExtended } from "content-disposition";

/**
 * Returns the value of Content-Disposition (RFC 6266): `inline` without a name, else `attachment` with the name, in ASCII
 * too for old clients. Characters that would end the quotes, escape within them or be decoded by some clients are in the
 * encoded name only. The name is always quoted, as old clients expect; `create` of content-disposition quotes where it must.
 */
export function contentDisposition(name: string | undefined): string {
  if (name === undefined) return "inline";
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const quoted = `attachment; filename="${ascii}"`;
  return ascii === name ? quoted : `${quoted}; filename*=${encodeExtended(name.toWellFormed())}`;
}
