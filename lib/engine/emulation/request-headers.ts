// The caller's own headers, which go to the target's origin and to no other.
import type { CDPSession } from "puppeteer-core";
import { bypassServiceWorkers, type Header, intercept, type PausedRequest } from "../page/interception.ts";

export interface TargetHeaders {
  /** Origin of the address the caller gave, such as `https://example.com`; redirects do not change it. */
  readonly origin: string;
  /** Replace what the browser would send under the same name. */
  readonly headers: readonly Header[];
  /** Value of the Authorization header; goes before one in `headers`. */
  readonly authorization?: string;
}

/**
 * Sends headers with every request of the page that goes to `origin`: its documents, frames and subresources, and what
 * its scripts and dedicated workers ask for. At each hop of a redirect it is decided anew. They are not sent with web
 * sockets and from shared workers, which Chromium does not let anybody hold, nor on behalf of another origin.
 * `origin` is of http or https. Call it before the navigation.
 */
export async function sendWithTarget(
  cdp: CDPSession,
  { origin, headers, authorization }: TargetHeaders,
): Promise<void> {
  const own = headers.filter(({ name }) => authorization === undefined || name.toLowerCase() !== "authorization");
  const sent = authorization === undefined ? own : [...own, { name: "Authorization", value: authorization }];
  if (sent.length === 0) return;
  const { protocol, host } = new URL(origin);
  await Promise.all([
    intercept(cdp, {
      // An address may hold credentials before its host.
      patterns: [{ urlPattern: `${protocol}//${host}/*` }, { urlPattern: `${protocol}//*@${host}/*` }],
      intervene: (held) =>
        isFor(origin, held) ? { headers: sent.filter((header) => !isOfPage(header, held)) } : undefined,
    }),
    bypassServiceWorkers(cdp),
  ]);
}

/**
 * A script of another origin may be let read what is public at the target, but not what only the caller's credentials
 * show: its requests name the origin they come from. A form that posts to the target names it, too, and reads nothing.
 */
function isFor(origin: string, { request, resourceType }: PausedRequest): boolean {
  const initiator = headerOf(request.headers, "origin");
  return (
    new URL(request.url).origin === origin &&
    (initiator === undefined || initiator === origin || resourceType === "Document")
  );
}

/** Headers that the browser sends only when a page has set them, for its own sign-in or its own body. */
const OF_PAGE = new Set(["authorization", "content-type"]);

function isOfPage({ name }: Header, { request }: PausedRequest): boolean {
  return OF_PAGE.has(name.toLowerCase()) && headerOf(request.headers, name) !== undefined;
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}
