// Plans what is checked and read of the page, and its document as HTML, Markdown, text, MHTML or JSON.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { formatKind, isImageFormat, isVideoFormat } from "../../../contract/options/formats.ts";
import { type ElementsRequest, readPageElements } from "../../formats/elements/page-elements.ts";
import { readFonts, readMetadata, type WantedMetadata } from "../../formats/metadata/metadata.ts";
import { warnOfEmbeddedPdfs } from "../../page/embedded-pdfs.ts";
import { type CaptureStep, captureStep } from "../step.ts";
import { checkContent } from "../steps/check-content.ts";
import { checkRequests } from "../steps/check-requests.ts";
import { checkSelectors } from "../steps/check-selectors.ts";
import { completeStyles } from "../steps/complete-styles.ts";
import { judgePageStep } from "../steps/judge-page.ts";
import { writeDocument } from "../steps/write-document.ts";
import { planAnimations } from "./area.ts";
import { reportsBlocked } from "./blocking.ts";
import { isStitched } from "./readiness.ts";

type Steps = Generator<CaptureStep>;

/** Styles reach what has appeared since they were added. */
export function* planStyles({ styles, hide_selectors: hidden = [] }: EngineOptions): Steps {
  if (styles || hidden.length > 0) yield completeStyles({ hidden });
}

/** What is read of the page is what an image would show: scripts have counted and typed to their end. */
export function* planReading(options: EngineOptions): Steps {
  const { fail_if_content_contains: contains = [], fail_if_content_missing: missing = [] } = options;
  const isRead = options.metadata_content || options.metadata_elements || contains.length + missing.length > 0;
  const isDocument = formatKind(options.format) === "document";
  if (options.disable_animations && (isRead || isDocument)) yield planAnimations(options);
}

/** PDFs in the page are missing from results of every format. */
export function* planPdfCheck(): Steps {
  yield checkEmbeddedPdfs();
}

/** The caller's rules that fail the capture. */
export function* planChecks(options: EngineOptions): Steps {
  const { fail_if_content_contains: contains = [], fail_if_content_missing: missing = [] } = options;
  if (contains.length + missing.length > 0) yield checkContent({ contains, missing });
  if (options.fail_if_selector_present) yield checkSelectors({ selectors: options.fail_if_selector_present });
  if (options.fail_if_request_failed) yield checkRequests({ patterns: options.fail_if_request_failed });
}

export function* planMetadata(options: EngineOptions): Steps {
  const wanted: WantedMetadata = {
    pageTitle: options.metadata_page_title,
    openGraph: options.metadata_open_graph,
    icon: options.metadata_icon,
    fonts: options.metadata_fonts,
    links: options.metadata_links,
    console: options.metadata_console,
    requests: options.metadata_requests,
    statusCode: options.metadata_http_response_status_code,
    responseHeaders: options.metadata_http_response_headers,
    shadowDom: options.include_shadow_dom,
    ...(options.metadata_content && { content: { format: options.metadata_content_format } }),
  };
  const { shadowDom, ...facts } = wanted;
  if (Object.values(facts).some(Boolean)) yield readMetadataStep({ wanted });
  else if (options.format === "json" && !options.metadata_elements)
    yield readMetadataStep({ wanted: usualMetadata(options) });
  // An image that is marked or stitched has them as they are in it.
  if (options.metadata_elements && !options.annotate && !isStitched(options))
    yield readElementsStep({ request: elementsRequest(options) });
}

/** Which elements the caller wants to be listed. */
export function elementsRequest({ elements_scope, elements_root, elements_max }: EngineOptions): ElementsRequest {
  return { scope: elements_scope, root: elements_root, max: elements_max };
}

/** The metadata of `format=json` when the caller named none. */
function usualMetadata({ url, include_shadow_dom: shadowDom }: EngineOptions): WantedMetadata {
  const comesFromServer = url !== undefined;
  return {
    pageTitle: true,
    openGraph: true,
    icon: true,
    links: true,
    statusCode: comesFromServer,
    responseHeaders: comesFromServer,
    fonts: false,
    console: false,
    requests: false,
    shadowDom,
  };
}

/** The fonts of the report. */
export function* planReport({ metadata_report: isReported, format }: EngineOptions): Steps {
  if (isReported && formatKind(format) !== "document") yield readFontsStep();
}

export function* planDocument(options: EngineOptions): Steps {
  const { format, include_shadow_dom: shadowDom } = options;
  if (isImageFormat(format) || isVideoFormat(format) || format === "pdf") return;
  yield judgePageStep({ isWhole: true });
  yield writeDocument({
    format,
    shadowDom,
    includesBlocked: reportsBlocked(options),
    elements: elementsRequest(options),
  });
}

/** Warns of elements that embed a PDF. */
const checkEmbeddedPdfs = captureStep({ name: "check-embedded-pdfs", run: warnOfEmbeddedPdfs });

/** Reads the fonts that the page is rendered with. */
const readFontsStep = captureStep({
  name: "read-fonts",
  run: async (page) => ({ fonts: (await readFonts(page))?.fonts ?? [] }),
});

/** Lists the elements of the page in its metadata. */
const readElementsStep = captureStep<{ readonly request: ElementsRequest }>({
  name: "read-elements",
  run: async (page, { request }) => ({
    metadata: { ...page.metadata, elements: await readPageElements(page, request) },
  }),
});

/** Reads the metadata of the page that the caller requested. */
const readMetadataStep = captureStep<{ readonly wanted: WantedMetadata }>({
  name: "read-metadata",
  run: async (page, { wanted }) => ({
    metadata: { ...page.metadata, ...(await readMetadata(page, wanted, page.record)) },
  }),
});
