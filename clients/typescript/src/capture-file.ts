// Writes a result to a file piece by piece, so that the file is complete or as it was before.
import { ScreenCaptureError } from "./api-error.ts";

type ReadBody = (body: ReadableStream<Uint8Array>) => Promise<void>;

/** The functions of `node:fs/promises` that are needed here. */
interface FileSystem {
  writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: boolean }): Promise<void>;
}

/** A variable, because bundlers for browsers would look for the module. */
const fileSystemModule = "node:fs/promises";

/**
 * Runs `download`, which passes the body of a response to its argument, also of each further attempt; then puts the file at `path`.
 * Throws a `ScreenCaptureError` when the file can't be written, or where there is no file system.
 */
export async function writeWholeFile<T>(path: string, download: (readBody: ReadBody) => Promise<T>): Promise<T> {
  const files = await loadFileSystem();
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    const result = await download(async (body) => {
      let lost: unknown;
      try {
        await files.writeFile(
          part,
          rememberingError(body, (error) => (lost = error)),
        );
      } catch (cause) {
        if (lost !== undefined) throw lost; // the response was cut off, which another attempt may mend
        throw new ScreenCaptureError(`Can't write ${path}: ${(cause as Error).message}`, { cause });
      }
    });
    await files.rename(part, path);
    return result;
  } finally {
    await files.rm(part, { force: true });
  }
}

/** The pieces of a body. Reports the error that ends them, which is the connection's and not the file's. */
async function* rememberingError(body: ReadableStream<Uint8Array>, onError: (error: unknown) => void) {
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } catch (error) {
    onError(error);
    throw error;
  } finally {
    await reader.cancel().catch(() => {}); // of a body that failed
  }
}

async function loadFileSystem(): Promise<FileSystem> {
  try {
    return await import(fileSystemModule);
  } catch (cause) {
    throw new ScreenCaptureError("There is no file system here. Use 'capture', which returns the bytes.", { cause });
  }
}
