// Adds the caller's headers to requests for the target's origin, and to no others.
import type { CDPSession } from "puppeteer-core";
import { bypassServiceWorkers, type Header, intercept, type PausedRequest } from "../page/interception.ts";

export interface TargetHeaders {
  /** Origin of the requested URL, such as `https://example.com`; redirects do not change it. */
  readonly origin: string;
  /** They replace the browser's headers of the same name. */
  readonly headers: readonly Header[];
  /** Value of the Authorization header; overrides one in `headers`. */
  readonly authorization?: string;
}

/**
 * Sends headers with every request of the page to `origin`, which is http or https: documents, frames, subresources,
 * and requests of its scripts and dedicated workers. Each hop of a redirect is decided separately. WebSockets and
 * shared workers do not get them, because Chromium cannot intercept those; neither do requests on behalf of another
 * origin. Call it before the navigation.
 */
export async function sendTargetHeaders(
  cdp: CDPSession,
  { origin, headers, authorization }: TargetHeaders,
): Promise<void> {
  const callerHeaders = headers.filter(
    ({ name }) => authorization === undefined || name.toLowerCase() !== "authorization",
  );
  const addedHeaders =
    authorization === undefined ? callerHeaders : [...callerHeaders, { name: "Authorization", value: authorization }];
  if (addedHeaders.length === 0) return;
  const { protocol, host } = new URL(origin);
  await Promise.all([
    intercept(cdp, {
      // A URL may hold credentials before its host.
      patterns: [{ urlPattern: `${protocol}//${host}/*` }, { urlPattern: `${protocol}//*@${host}/*` }],
      intervene: (request) =>
        isTargetRequest(origin, request)
          ? { headers: addedHeaders.filter((header) => !isSetByPage(header, request)) }
          : undefined,
    }),
    bypassServiceWorkers(cdp),
  ]);
}

/**
 * A script of another origin may read public resources of the target, but not what only the caller's credentials
 * reveal: its requests carry an `Origin` header. A cross-origin form post carries one, too, but reads nothing.
 */
function isTargetRequest(origin: string, { request, resourceType }: PausedRequest): boolean {
  const initiator = findHeader(request.headers, "origin");
  return (
    new URL(request.url).origin === origin &&
    (initiator === undefined || initiator === origin || resourceType === "Document")
  );
}

/** Headers that exist only when the page set them, for its own authentication or body. */
const PAGE_HEADERS = new Set(["authorization", "content-type"]);

function isSetByPage({ name }: Header, { request }: PausedRequest): boolean {
  return PAGE_HEADERS.has(name.toLowerCase()) && findHeader(request.headers, name) !== undefined;
}

function findHeader(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}
