// The metadata of a page by simple patterns, without a browser that parses it.
import type { EngineOptions } from "../../../lib/contract/options/engine-options.ts";
import type { CaptureMetadata } from "../../../lib/engine/pipeline/capture-state.ts";
import { reportsBlocked } from "../../../lib/engine/pipeline/plan/blocking.ts";
import type { LoadedPage } from "./load-page.ts";
import { textOf, titleOf } from "./page-text.ts";
import { colourOf, type PictureSize } from "./results.ts";

/** What the options ask for. Throws for what this renderer can't find out. */
export function fakeMetadata(options: EngineOptions, page: LoadedPage, size: PictureSize): CaptureMetadata {
  const { source } = page;
  if (options.metadata_elements) throw new Error("The fake renderer has no elements: test them with Chromium.");
  const content = options.metadata_content_format === "html" ? source : textOf(source);
  return {
    ...(options.metadata_page_title && { page_title: titleOf(source) }),
    ...(options.metadata_open_graph && { open_graph: {} }),
    ...(options.metadata_icon && { icon: null }),
    ...(options.metadata_fonts && { fonts: [] }),
    ...(options.metadata_image_size && { image_size: size }),
    ...((options.metadata_http_response_status_code || options.metadata_http_response_headers) && {
      http_response: httpResponse(options, page),
    }),
    ...(options.metadata_content && { content }),
    ...(options.metadata_links && { links: linksOf(source) }),
    ...(options.metadata_palette && { palette: [{ colour: colourOf(source), share: 1 }] }),
    ...(options.metadata_console && { console: [] }),
    ...(options.metadata_requests && {
      requests: { count: 1, failed: 0, bytes: 0, by_type: { document: 1 }, list: [] },
    }),
    ...(reportsBlocked(options) && { blocked: { requests: 0, dialogs: 0, unlocked: false } }),
  };
}

function httpResponse(options: EngineOptions, { finalUrl, statusCode, headers, redirects }: LoadedPage) {
  if (finalUrl === null || statusCode === null) return null;
  const { metadata_http_response_headers: hasHeaders } = options;
  return { status_code: statusCode, ...(hasHeaders && { headers }), final_url: finalUrl, redirects };
}

function linksOf(source: string): { url: string; text: string }[] {
  const links = source.matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gis);
  return [...links].map(([, url = "", text = ""]) => ({ url, text: textOf(text) }));
}
