// The thumbnail of a capture: its place is recorded with the capture, and its bytes are made and stored after the response.
import type { Format } from "../../contract/options/formats.ts";
import { canHaveThumbnail, makeThumbnail } from "../../engine/outputs/thumbnail.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { putResult } from "../results/result-store.ts";
import { newThumbnailPlace, type StoredThumbnail, THUMBNAIL_MIME_TYPE } from "../results/stored-thumbnail.ts";
import type { CaptureRequest } from "./capture-request.ts";

type Requested = Pick<CaptureRequest, "options" | "caller">;

/** True where the request, or else the setting of its account, wants thumbnails. */
export function wantsThumbnail({ options, caller }: Requested): boolean {
  return options.store_thumbnail ?? caller.account.store_thumbnails ?? true;
}

/** Where the thumbnail of a new capture will be stored at `now` (milliseconds since 1970); undefined for one without. */
export function planThumbnail(request: Requested, format: Format, now: number): StoredThumbnail | undefined {
  return wantsThumbnail(request) && canHaveThumbnail(format) ? newThumbnailPlace(now) : undefined;
}

/** Makes and stores the thumbnail of a capture. Stores nothing for one whose picture takes too long to decode. */
export async function storeThumbnail(
  bucket: string,
  { key }: StoredThumbnail,
  { body, format }: Pick<Capture, "body" | "format">,
): Promise<void> {
  const thumbnail = await makeThumbnail(body, format);
  if (thumbnail) await putResult(bucket, key, thumbnail, { mimeType: THUMBNAIL_MIME_TYPE, disposition: "inline" });
}
