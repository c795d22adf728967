// Has the renderer make pictures of a stored image, for a function that doesn't decode what a page may have chosen.
import { TooManyRequestsException } from "@aws-sdk/client-lambda";
import { type ModelPictures, NoPicture, type PictureWork } from "../mcp/picture-limits.ts";
import { logError } from "../platform/log.ts";
import { payloads } from "./invocation.ts";
import { invokeRenderer } from "./invoke-renderer.ts";
import { readPictures } from "./pictures-response.ts";
import type { RenderCall } from "./serve-render.ts";

export interface PictureRenderer {
  /** Name or ARN of the function. */
  readonly functionName: string;
  /** Whose sandbox makes the pictures, where the function's sandboxes serve one tenant each. */
  readonly tenantId?: string;
}

/** A cold start, reading an image of 100,000 pixels in height, and six slices of it. */
const TIMEOUT_MS = 60_000;

/** Throws `NoPicture` where the renderer is busy, fails, or answers something else. */
export async function renderPictures(
  { link, firstSlice }: PictureWork,
  { functionName: FunctionName, tenantId }: PictureRenderer,
): Promise<ModelPictures> {
  const work = { link, ...(firstSlice !== undefined && { firstSlice }) };
  const call: RenderCall = { work, request_id: 0, tenant_id: tenantId ?? "", elapsed_ms: 0, uploads: [] };
  const Payload = Buffer.from(JSON.stringify(call));
  const invocation = { FunctionName, Payload, ...(tenantId !== undefined && { TenantId: tenantId }) };
  const abortSignal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await readPictures(payloads(await invokeRenderer(invocation, { abortSignal })));
  } catch (cause) {
    if (!(cause instanceof TooManyRequestsException)) logError("pictures not made", cause);
    throw new NoPicture("The pictures of an image were not made.", { cause });
  }
}
