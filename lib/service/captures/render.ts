// Renders the captures of a request in one visit of their page, and stores each wherever the caller wants it.

import { type ApiError, toApiError } from "../../contract/errors/api-error.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { logInfo } from "../platform/log.ts";
import type { Rendered, Renderer } from "../rendering/renderer.ts";
import type { CaptureRequest, CaptureResources } from "./capture-request.ts";
import { wantsThumbnail } from "./capture-thumbnail.ts";
import { type StoredResult, type StoreParts, saveToCustomerStorage, storeResult } from "./store-result.ts";

/** A new capture, and where it is stored. */
export interface CompletedCapture {
  readonly rendered: Rendered;
  readonly result: StoredResult;
}

/** A capture that was rendered and stored, or the error with which it failed. It is not recorded yet. */
export type RenderOutcome = { readonly capture: CaptureRequest } & (
  | { readonly completed: CompletedCapture }
  | { readonly error: ApiError }
);

export interface RenderedCaptures {
  /** How often the page was loaded. */
  readonly loads: number;
  /** In the order of the request. */
  readonly outcomes: readonly RenderOutcome[];
}

/** Renders captures of one page, and stores each. What fails as a whole fails each of them. Records nothing. */
export async function renderCaptures(
  captures: readonly CaptureRequest[],
  renderer: Renderer,
  env: CaptureResources,
): Promise<RenderedCaptures> {
  try {
    const saves = captures.map(saveToCustomerStorage); // refuses an address before anything is rendered
    const { loads, outputs } = await renderAll(captures, renderer);
    const storing = captures.map(async (request, index): Promise<RenderOutcome> => {
      const outcome = outputs[index];
      if (!outcome) throw new Error("An output has no outcome.");
      if ("error" in outcome) return { capture: request, error: outcome.error };
      try {
        return {
          capture: request,
          completed: await storeCapture(outcome.capture, { request, save: saves[index] }, env),
        };
      } catch (thrown) {
        return { capture: request, error: toApiError(thrown) };
      }
    });
    return { loads, outcomes: await Promise.all(storing) };
  } catch (thrown) {
    return failAll(captures, toApiError(thrown));
  }
}

/** The captures of a request that failed with an error as a whole. */
export function failAll(captures: readonly CaptureRequest[], error: ApiError): RenderedCaptures {
  return { loads: 0, outcomes: captures.map((capture) => ({ capture, error })) };
}

function renderAll(captures: readonly CaptureRequest[], renderer: Renderer): ReturnType<Renderer["capture"]> {
  const [first] = captures;
  if (!first) throw new Error("There are no captures.");
  const requested = captures.map((capture) => ({
    options: engineOptions(capture.options),
    thumbnail: wantsThumbnail(capture),
  }));
  return renderer.capture(requested, {
    ...first,
    tenantId: String(first.caller.account.id),
    reportsPhases: first.job !== undefined,
  });
}

/** Stores a new capture wherever its request wants it. Throws as `storeResult` does. */
async function storeCapture(rendered: Rendered, parts: StoreParts, env: CaptureResources): Promise<CompletedCapture> {
  const { beginFrameUnavailable: reason } = rendered;
  if (reason !== undefined) logInfo("begin-frame control unavailable", { request_id: parts.request.requestId, reason });
  const result = await storeResult(rendered, parts, env);
  const { stored, storageError } = result;
  if (!storageError) return { rendered, result };
  const warnings = [...rendered.warnings, storageError.message];
  return { rendered: { ...rendered, warnings }, result: { ...result, stored: stored && { ...stored, warnings } } };
}
