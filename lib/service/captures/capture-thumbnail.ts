// The thumbnail of a capture: its place is recorded with the capture; it is received and stored after the response.
import type { Rendered } from "../rendering/renderer.ts";
import { putResult } from "../results/result-store.ts";
import { newThumbnailPlace, type StoredThumbnail, THUMBNAIL_MIME_TYPE } from "../results/stored-thumbnail.ts";
import type { CaptureRequest } from "./capture-request.ts";

/** A thumbnail that is to be stored. */
export interface PlannedThumbnail {
  readonly place: StoredThumbnail;
  /** Receives it from the renderer. */
  readonly receive: () => Promise<Buffer | undefined>;
}

/** True where the request, or else the setting of its account, wants thumbnails. */
export function wantsThumbnail({ options, caller }: Pick<CaptureRequest, "options" | "caller">): boolean {
  return options.store_thumbnail ?? caller.account.store_thumbnails ?? true;
}

/** Plans the thumbnail of a new capture at `now` (milliseconds since 1970). Undefined for a capture that was rendered without one. */
export function planThumbnail({ thumbnail }: Pick<Rendered, "thumbnail">, now: number): PlannedThumbnail | undefined {
  return thumbnail && { place: newThumbnailPlace(now), receive: thumbnail };
}

/** Stores a thumbnail in the bucket, unread. Stores nothing where the renderer made none. */
export async function storeThumbnail(bucket: string, { place, receive }: PlannedThumbnail): Promise<void> {
  const thumbnail = await receive();
  if (thumbnail)
    await putResult(bucket, place.key, thumbnail, { mimeType: THUMBNAIL_MIME_TYPE, disposition: "inline" });
}
