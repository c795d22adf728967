// The response of the renderer to a call for pictures of an image: a head of JSON, then the pictures.
import * as v from "valibot";
import { imageSignature } from "../../engine/formats/image-signature.ts";
import { MAX_PICTURE_BYTES, MAX_SLICES, type ModelPictures } from "../mcp/picture-limits.ts";
import { ByteReader, UnreadableResponse } from "./byte-reader.ts";
import { encodeHead, readResponseHead } from "./response-head.ts";

const MAX_HEAD_BYTES = 1_000;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const PicturesSchema = v.object({
  kind: v.literal("pictures"),
  width: count,
  height: count,
  total: count,
  scale: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  bytes: v.pipe(v.array(v.pipe(count, v.maxValue(MAX_PICTURE_BYTES))), v.maxLength(MAX_SLICES)),
});

export function picturesResponse({ pictures, ...facts }: ModelPictures): Buffer[] {
  return [encodeHead({ kind: "pictures", ...facts, bytes: pictures.map(({ length }) => length) }), ...pictures];
}

/** Throws `UnreadableResponse` for one that ends early or isn't valid. Decodes nothing. */
export async function readPictures(chunks: AsyncIterable<Uint8Array>): Promise<ModelPictures> {
  const input = new ByteReader(chunks);
  const { bytes, kind: _, ...facts } = await readResponseHead(input, PicturesSchema, MAX_HEAD_BYTES);
  const pictures: Buffer[] = [];
  for (const length of bytes) pictures.push(await input.read(length));
  if (pictures.some((picture) => imageSignature(picture) !== "webp"))
    throw new UnreadableResponse("There is a picture that is no WebP.");
  return { ...facts, pictures };
}
