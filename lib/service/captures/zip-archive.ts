// The results of a request with `outputs` as a ZIP archive, with their JSON as `manifest.json`.
import { Readable } from "node:stream";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { fileExtension, formatKind } from "../../contract/options/formats.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { OutputsResult } from "./output-responses.ts";
import type { RenderedCapture } from "./rendered-capture.ts";

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly body: Buffer;
  /** False for a body that is compressed already. */
  readonly isCompressible: boolean;
}

const MANIFEST_NAME = "manifest.json";

/** A result that may be in an archive, with the name of its output. */
export interface ArchivedResult {
  readonly name: string;
  readonly result: RenderedCapture;
  readonly readBody: () => Promise<Buffer | undefined>;
}

/**
 * The files of an archive of at most `maxBytes`, the manifest first. A result that does not fit is left out, and has only its link in the
 * manifest. The names of outputs are valid as names of files.
 */
export async function archiveFiles(
  results: readonly ArchivedResult[],
  manifest: ResponseBody<typeof OutputsResult>,
  maxBytes: number,
): Promise<readonly ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  const names = new Map<string, string>();
  let remainingBytes = maxBytes;
  for (const { name: output, result, readBody } of results) {
    if (result.sizeBytes > remainingBytes) continue;
    const body = await readBody();
    if (!body) continue;
    remainingBytes -= body.length;
    const name = `${output}.${fileExtension(result.format)}`;
    names.set(output, name);
    files.push({ name, body, isCompressible: formatKind(result.format) === "document" });
  }
  const described = manifest.outputs.map(({ content: _, ...output }) =>
    output.status === "success" ? { ...output, file: names.get(output.name) ?? null } : output,
  );
  const text = JSON.stringify({ ...manifest, outputs: described }, undefined, 2);
  return [{ name: MANIFEST_NAME, body: Buffer.from(text), isCompressible: true }, ...files];
}

/** A ZIP archive that is written while it is read. */
export function zipStream(files: readonly ArchiveFile[], modifiedAt: number): Readable {
  return Readable.from(zipChunks(files, modifiedAt), { objectMode: false });
}

const CHUNK_BYTES = 256 * 1024;

function* zipChunks(files: readonly ArchiveFile[], modifiedAt: number): Generator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    if (chunk.length > 0) chunks.push(chunk);
  });
  for (const { name, body, isCompressible } of files) {
    const file = isCompressible ? new ZipDeflate(name) : new ZipPassThrough(name);
    file.mtime = modifiedAt;
    zip.add(file);
    for (let at = 0; at === 0 || at < body.length; at += CHUNK_BYTES) {
      const end = at + CHUNK_BYTES;
      file.push(body.subarray(at, end), end >= body.length);
      yield* chunks.splice(0);
    }
  }
  zip.end();
  yield* chunks.splice(0);
}
