// Requests the document of a page, through the product's egress policy, and with the errors that the engine has for what goes wrong.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { EngineOptions } from "../../../lib/contract/options/engine-options.ts";
import { createDial, type Dial, EgressError, isRefusedUnresolved } from "../../../lib/engine/egress/egress-dial.ts";
import { httpError, navigationError, urlNotAllowed } from "../../../lib/engine/errors/target-errors.ts";
import { withoutCredentials } from "../../../lib/engine/errors/target-report.ts";
import { allowedOrigins } from "../../../lib/service/platform/allowed-origins.ts";

export interface LoadedPage {
  /** Its HTML, or its Markdown. */
  readonly source: string;
  /** Null without a `url`, as is the status. */
  readonly finalUrl: string | null;
  readonly statusCode: number | null;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly redirects: readonly { readonly url: string; readonly status_code: number }[];
}

const MAX_REDIRECTS = 20;

/** Throws the `ApiError` of a page that can't be loaded. */
export async function loadPage(options: EngineOptions, signal: AbortSignal): Promise<LoadedPage> {
  if (options.url === undefined) {
    const source = options.html ?? options.markdown ?? "";
    return { source, finalUrl: null, statusCode: null, headers: {}, redirects: [] };
  }
  const dial = createDial({ allowed: allowedOrigins(), signal });
  const redirects: { url: string; status_code: number }[] = [];
  let url = options.url;
  for (;;) {
    const response = await requestPage(url, options, { dial, signal });
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined && redirects.length < MAX_REDIRECTS) {
      response.resume();
      redirects.push({ url: withoutCredentials(url), status_code: status });
      url = new URL(headers.location, url).href;
      continue;
    }
    const source = String(Buffer.concat(await response.toArray()));
    if (!options.ignore_host_errors && options.fail_on_status.some(({ from, to }) => status >= from && status <= to)) {
      const retryAfter = Number(headers["retry-after"]);
      throw httpError(url, status, Number.isInteger(retryAfter) ? { retryAfter } : {});
    }
    return {
      source,
      finalUrl: withoutCredentials(url),
      statusCode: status,
      headers: headers as LoadedPage["headers"],
      redirects,
    };
  }
}

interface Connecting {
  readonly dial: Dial;
  readonly signal: AbortSignal;
}

async function requestPage(
  url: string,
  options: EngineOptions,
  { dial, signal }: Connecting,
): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") throw urlNotAllowed(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isTls = protocol === "https:";
  const portNumber = Number(port || (isTls ? 443 : 80));
  if (isRefusedUnresolved(host, portNumber, allowedOrigins())) throw urlNotAllowed(url);
  try {
    const socket = await dial(host, portNumber);
    const createConnection = () => (isTls ? connectTls({ socket, servername: host }) : socket) as Socket;
    const sent = request(new URL(url.replace(/^https:/, "http:")), {
      createConnection,
      headers: requestHeaders(options),
      signal,
    });
    sent.end();
    const [response] = await once(sent, "response");
    return response;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EgressError)
      throw navigationError({ url, netError: "net::ERR_FAILED", egress: error.failure });
    throw navigationError({ url, netError: "net::ERR_EMPTY_RESPONSE" });
  }
}

function requestHeaders({ headers = [], cookies = [], authorization, user_agent }: EngineOptions) {
  return {
    "User-Agent": user_agent ?? "fake-renderer",
    Connection: "close",
    ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    ...(cookies.length > 0 && { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") }),
    ...(authorization !== undefined && { Authorization: authorization }),
  };
}
