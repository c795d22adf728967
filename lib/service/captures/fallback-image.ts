// `fallback_image`: the picture that an `<img>` shows in place of an error, for signed links whose signature is proved.

import { toApiError } from "../../contract/errors/api-error.ts";
import { loadSharp } from "../../engine/formats/screenshot/raster-source.ts";
import { UnauthorizedError } from "../account/authenticate.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { ApiResponse } from "../http/response.ts";
import { logError, logInfo } from "../platform/log.ts";

const kinds = ["transparent", "placeholder"] as const;
type FallbackKind = (typeof kinds)[number];

/** The fallback image that a signed link names, read before the options are parsed, since their errors have it, too. */
export function requestedFallback({ query }: Pick<ApiRequest, "query">): FallbackKind | undefined {
  const named = query.filter(([name]) => name === "fallback_image").map(([, value]) => value.toLowerCase());
  return named.length === 1 ? kinds.find((kind) => kind === named[0]) : undefined;
}

/** True for an error of a link whose signature is right: it has expired, or its key is not valid any more. */
export function isProvedLink(error: unknown): boolean {
  return error instanceof UnauthorizedError && (error.reason === "expired" || error.reason === "revoked");
}

/** Status 200 with the picture. No cache stores it, so that the next view shows the capture if it succeeds. */
export async function fallbackResponse(
  thrown: unknown,
  kind: FallbackKind,
  request: Pick<ApiRequest, "query" | "requestId">,
): Promise<ApiResponse<never>> {
  const error = toApiError(thrown);
  const facts = { request_id: request.requestId };
  if (error.blame === "us" && error.code !== "CAPACITY") logError("request failed", error, facts);
  logInfo("fallback image", { ...facts, code: error.code, blame: error.blame });
  const body = kind === "transparent" ? TRANSPARENT_PIXEL : await placeholder(pictureSize(request));
  return {
    status: 200,
    headers: {
      "Content-Type": kind === "transparent" ? "image/gif" : "image/png",
      "Content-Length": String(body.length),
      "Cache-Control": "no-store",
      "X-Error-Code": error.code,
    },
    body,
  };
}

/** A GIF of one transparent pixel. */
const TRANSPARENT_PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

const DEFAULT_SIZE = { width: 1280, height: 1024 };
/** A placeholder of one color compresses well, but its pixels are drawn all the same. */
const MAX_SIDE = 2_000;

/** The size that the link asks for; the options may be invalid. */
function pictureSize({ query }: Pick<ApiRequest, "query">) {
  const side = (name: string) => {
    const value = Number(query.find(([each]) => each === name)?.[1]);
    return Number.isInteger(value) && value > 0 ? Math.min(MAX_SIDE, value) : undefined;
  };
  const window = {
    width: side("viewport_width") ?? DEFAULT_SIZE.width,
    height: side("viewport_height") ?? DEFAULT_SIZE.height,
  };
  const { image_width: width, image_height: height } = {
    image_width: side("image_width"),
    image_height: side("image_height"),
  };
  const ratio = window.width / window.height;
  if (width !== undefined) return { width, height: height ?? Math.max(1, Math.round(width / ratio)) };
  return height === undefined ? window : { width: Math.max(1, Math.round(height * ratio)), height };
}

/** A gray area with the outline of a picture in its middle. */
async function placeholder({ width, height }: { readonly width: number; readonly height: number }): Promise<Buffer> {
  const sharp = await loadSharp();
  const icon = Math.min(width, height) / 3;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#e6e8eb"/>
    <svg x="${(width - icon) / 2}" y="${(height - icon) / 2}" width="${icon}" height="${icon}" viewBox="0 0 24 24">
      <path d="M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6" fill="none" stroke="#a8adb4" stroke-width="1.5"/>
      <circle cx="15.5" cy="9" r="1.5" fill="#a8adb4"/>
    </svg></svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}
