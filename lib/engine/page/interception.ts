// The requests of a page that are held on their way out: one owner of Chromium's Fetch domain, and who has a say in it.
import type { CDPSession, Protocol } from "puppeteer-core";

/** Name and value as they are sent. */
export type Header = Protocol.Fetch.HeaderEntry;
export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

export interface Interceptor {
  /** Which requests it wants to see, at least one kind; it may be asked about others, too. `*` stands for anything. */
  readonly patterns: readonly { readonly urlPattern: string; readonly resourceType?: Protocol.Network.ResourceType }[];
  /** What becomes of a request; undefined leaves it as it is. Each hop of a redirect is a request of its own. */
  intervene(request: PausedRequest): Intervention | undefined;
}

export type Intervention =
  /** Headers to set for this hop, in place of those of the same name. */
  | { readonly headers: readonly Header[] }
  /** An answer that is given in place of the network's. */
  | { readonly answer: { readonly status: number; readonly headers: readonly Header[]; readonly body: Buffer } }
  /** The page is told that the request was blocked. */
  | { readonly blocked: true };

const interceptions = new WeakMap<CDPSession, Interceptor[]>();

/**
 * Lets `interceptor` have a say in the requests of a page, from when this resolves until the page is closed. Those who
 * came first are asked first; an answer or a block ends the matter, headers add up. Chromium does not hold web sockets,
 * nor what shared workers and service workers ask for.
 *
 * Nobody can be removed again: when Chromium is told to hold nothing more, a frame's document that is just being asked
 * for is held for ever.
 */
export async function intercept(cdp: CDPSession, interceptor: Interceptor): Promise<void> {
  const interceptors = interceptions.get(cdp) ?? hold(cdp);
  interceptors.push(interceptor);
  await cdp.send("Fetch.enable", { patterns: interceptors.flatMap(({ patterns }) => patterns) });
}

/** What a service worker asks for is not held; what a page that is followed asks for without one is. */
export async function bypassServiceWorkers(cdp: CDPSession): Promise<void> {
  await cdp.send("Network.setBypassServiceWorker", { bypass: true }); // it counts only while requests are told
}

function hold(cdp: CDPSession): Interceptor[] {
  const interceptors: Interceptor[] = [];
  interceptions.set(cdp, interceptors);
  cdp.on("Fetch.requestPaused", (request) => {
    const { requestId } = request;
    resume(cdp, request, interceptors)
      // Headers that Chromium does not take; a request that nobody resumes would stay for ever.
      .catch(() => cdp.send("Fetch.failRequest", { requestId, errorReason: "Failed" }))
      .catch(() => undefined); // the page has called it off meanwhile
  });
  return interceptors;
}

async function resume(cdp: CDPSession, held: PausedRequest, interceptors: readonly Interceptor[]): Promise<void> {
  const { requestId, request } = held;
  let headers: Header[] | undefined;
  for (const interceptor of interceptors) {
    const intervention = interceptor.intervene(held);
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
    headers = withHeaders(headers ?? entriesOf(request.headers), intervention.headers);
  }
  await cdp.send("Fetch.continueRequest", { requestId, ...(headers && { headers }) });
}

function entriesOf(headers: Protocol.Network.Headers): Header[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function withHeaders(headers: readonly Header[], set: readonly Header[]): Header[] {
  const replaced = new Set(set.map(({ name }) => name.toLowerCase()));
  return [...headers.filter(({ name }) => !replaced.has(name.toLowerCase())), ...set];
}
