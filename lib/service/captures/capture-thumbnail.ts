// The thumbnail of a capture: its place is recorded with the capture; it is made and stored after the response.
import { isImageFormat } from "../../contract/options/formats.ts";
import { makeThumbnail } from "../../engine/outputs/thumbnail.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { putResult } from "../results/result-store.ts";
import { newThumbnailPlace, type StoredThumbnail, THUMBNAIL_MIME_TYPE } from "../results/stored-thumbnail.ts";
import type { CaptureRequest } from "./capture-request.ts";

type Requested = Pick<CaptureRequest, "options" | "caller">;
type Rendered = Pick<Capture, "body" | "format" | "firstFrame">;

/** A thumbnail that is to be stored. */
export interface PlannedThumbnail {
  readonly place: StoredThumbnail;
  /** The picture that it is made from. */
  readonly picture: Buffer;
}

/** True where the request, or else the setting of its account, wants thumbnails. */
export function wantsThumbnail({ options, caller }: Requested): boolean {
  return options.store_thumbnail ?? caller.account.store_thumbnails ?? true;
}

/**
 * Plans the thumbnail of a new capture at `now` (milliseconds since 1970). Undefined for a capture without a picture: a document, and
 * a PDF, whose pages only a browser draws.
 */
export function planThumbnail(
  request: Requested,
  { body, format, firstFrame }: Rendered,
  now: number,
): PlannedThumbnail | undefined {
  const picture = isImageFormat(format) ? body : firstFrame;
  return picture && wantsThumbnail(request) ? { place: newThumbnailPlace(now), picture } : undefined;
}

/** Makes a thumbnail and stores it in the bucket. Stores nothing for a picture that is too large to be decoded. */
export async function storeThumbnail(bucket: string, { place, picture }: PlannedThumbnail): Promise<void> {
  const thumbnail = await makeThumbnail(picture);
  if (thumbnail)
    await putResult(bucket, place.key, thumbnail, { mimeType: THUMBNAIL_MIME_TYPE, disposition: "inline" });
}
