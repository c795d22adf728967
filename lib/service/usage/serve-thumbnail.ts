// Serves the thumbnail of a capture.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { ApiResponse } from "../http/response.ts";
import { readResult } from "../results/result-store.ts";
import { THUMBNAIL_MIME_TYPE } from "../results/stored-thumbnail.ts";
import { fromLogItem } from "./capture-log-item.ts";
import { findRequestedLog, type LogCall } from "./requested-log.ts";

/** How long a browser keeps a thumbnail, at most: one that was deleted is shown for no longer. */
const MAX_BROWSER_CACHE_S = 24 * 60 * 60;

/** Throws `NOT_FOUND` for a capture of another account, without a thumbnail, or whose thumbnail has expired or isn't stored yet. */
export async function getThumbnail(call: LogCall<unknown, "RESULTS_BUCKET">): Promise<ApiResponse<never>> {
  const { request, env } = call;
  const { thumbnail } = fromLogItem(await findRequestedLog(call));
  const remainingMs = thumbnail ? thumbnail.expires_at - request.receivedAt : 0;
  const body = thumbnail && remainingMs > 0 ? await readResult(env.RESULTS_BUCKET, thumbnail.key) : undefined;
  if (!body) throw new ApiError("NOT_FOUND", "The capture has no thumbnail, or none any more.");
  const maxAge = Math.min(MAX_BROWSER_CACHE_S, Math.floor(remainingMs / 1000));
  return {
    status: 200,
    headers: {
      "Content-Type": THUMBNAIL_MIME_TYPE,
      "Content-Length": String(body.length),
      "Content-Disposition": "inline",
      "Cache-Control": `private, max-age=${maxAge}, immutable`,
    },
    body,
  };
}
