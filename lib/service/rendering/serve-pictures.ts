// Makes pictures of a stored image in the renderer, for a function that doesn't decode what a page may have chosen.
import { modelPictures } from "../mcp/model-picture.ts";
import type { PictureWork } from "../mcp/picture-limits.ts";
import { picturesResponse } from "./pictures-response.ts";

const READ_TIMEOUT_MS = 20_000;

/** The response with the pictures. Throws for an image that can't be read. */
export async function createPictures({ link, firstSlice }: PictureWork): Promise<Buffer[]> {
  const response = await fetch(link, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The image was answered with ${response.status}.`);
  return picturesResponse(await modelPictures(Buffer.from(await response.arrayBuffer()), { firstSlice }));
}
