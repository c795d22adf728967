// Request interception: the only user of Chromium's Fetch domain, which several interceptors share.
import type { CDPSession, Protocol } from "puppeteer-core";

/** Name and value as they are sent. */
export type Header = Protocol.Fetch.HeaderEntry;
export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

export interface Interceptor {
  /** Requests to intercept, at least one pattern; `*` is a wildcard. `intervene` may be called for others, too. */
  readonly patterns: readonly { readonly urlPattern: string; readonly resourceType?: Protocol.Network.ResourceType }[];
  /** Returns what to do with a request; undefined leaves it unchanged. Each redirect hop is a request of its own. */
  intervene(request: PausedRequest): Intervention | undefined;
}

export type Intervention =
  /** Headers to set for this hop; they replace those of the same name. */
  | { readonly headers: readonly Header[] }
  /** A response instead of the network's. */
  | { readonly answer: { readonly status: number; readonly headers: readonly Header[]; readonly body: Buffer } }
  /** The request fails as blocked by the client. */
  | { readonly blocked: true };

const interceptions = new WeakMap<CDPSession, Interceptor[]>();

/**
 * Adds an interceptor, from when this resolves until the page is closed. Interceptors are called in the order they were
 * added; the first answer or block is final, headers add up. Chromium cannot intercept WebSockets or requests of shared
 * and service workers.
 *
 * Interceptors cannot be removed: after `Fetch.disable`, a frame's document that is being requested would stay paused
 * forever.
 */
export async function intercept(cdp: CDPSession, interceptor: Interceptor): Promise<void> {
  const interceptors = interceptions.get(cdp) ?? startIntercepting(cdp);
  interceptors.push(interceptor);
  await cdp.send("Fetch.enable", { patterns: interceptors.flatMap(({ patterns }) => patterns) });
}

/**
 * Makes requests bypass service workers, because Chromium cannot intercept those of a service worker. Requires enabled
 * network events.
 */
export async function bypassServiceWorkers(cdp: CDPSession): Promise<void> {
  await cdp.send("Network.setBypassServiceWorker", { bypass: true }); // has no effect unless the Network domain is enabled
}

function startIntercepting(cdp: CDPSession): Interceptor[] {
  const interceptors: Interceptor[] = [];
  interceptions.set(cdp, interceptors);
  cdp.on("Fetch.requestPaused", (request) => {
    const { requestId } = request;
    resume(cdp, request, interceptors)
      // Chromium may reject the headers; a request that is not resumed would stay paused forever.
      .catch(() => cdp.send("Fetch.failRequest", { requestId, errorReason: "Failed" }))
      .catch(() => undefined); // the page has cancelled it meanwhile
  });
  return interceptors;
}

async function resume(cdp: CDPSession, paused: PausedRequest, interceptors: readonly Interceptor[]): Promise<void> {
  const { requestId, request } = paused;
  let headers: Header[] | undefined;
  for (const interceptor of interceptors) {
    const intervention = interceptor.intervene(paused);
    if (!intervention) continue;
    if ("blocked" in intervention) {
      await cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
      return;
    }
    if ("answer" in intervention) {
      const { status, headers, body } = intervention.answer;
      const responseHeaders = [...headers];
      await cdp.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: status,
        responseHeaders,
        body: body.toString("base64"),
      });
      return;
    }
    headers = withHeaders(headers ?? headerEntries(request.headers), intervention.headers);
  }
  await cdp.send("Fetch.continueRequest", { requestId, ...(headers && { headers }) });
}

function headerEntries(headers: Protocol.Network.Headers): Header[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function withHeaders(headers: readonly Header[], replacements: readonly Header[]): Header[] {
  const replaced = new Set(replacements.map(({ name }) => name.toLowerCase()));
  return [...headers.filter(({ name }) => !replaced.has(name.toLowerCase())), ...replacements];
}
