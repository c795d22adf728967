// Downloads a stored result.
import { ScreenCaptureError } from "../api-error.ts";

/** The bytes at the signed link of a result. Throws a `ScreenCaptureError` if they can't be downloaded. */
export async function download(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new ScreenCaptureError(`The stored result can't be downloaded: status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
