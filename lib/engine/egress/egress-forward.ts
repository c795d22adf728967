// Forwards one plain http request of the egress proxy to its target or to an upstream proxy.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Dial } from "./egress-dial.ts";
import type { EgressTarget } from "./egress-target.ts";
import { refuseUpgrades } from "./refuse-upgrades.ts";
import { connectError, credentialsFor, throwAsProxyError, type UpstreamProxy } from "./upstream-proxy.ts";

/** Chromium's own limit for response headers. Node's limit of 16 KB is too small for pages with many cookies. */
export const MAX_HEADER_BYTES = 256 * 1024;

/**
 * Forwards a request and its response. Rejects with an `EgressError` or the connection's error when there is no
 * response; nothing has been sent to the client then.
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: EgressTarget,
  agent: HttpAgent,
  route: UpstreamProxy | undefined,
): Promise<void> {
  const headers = [...endToEnd(incoming.rawHeaders), ...(route ? Object.entries(credentialsFor(route)) : [])];
  const request = httpRequest({
    agent,
    host: route?.host ?? target.host,
    port: route?.port ?? target.port,
    path: route ? target.origin + target.path : target.path,
    method: incoming.method ?? "GET",
    headers: headers.flat(),
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  outgoing.on("close", () => request.destroy());
  const responseReceived = new Promise<IncomingMessage>((received, failed) => {
    request.on("response", received).on("error", failed);
    request.on("close", () => failed(new Error("The connection ended."))); // after a 101, which was not requested
    incoming.on("error", failed).pipe(request);
  });
  const response = await (route ? responseReceived.catch(throwAsProxyError) : responseReceived);
  if (route && response.statusCode === 407) throw connectError(407); // only status 407 always comes from the proxy itself
  outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders).flat());
  // A truncated body also closes the client's connection, so that a partial resource does not look complete.
  response.on("error", () => outgoing.destroy()).pipe(outgoing); // `pipeline` creates an AbortError for each response
}

/**
 * True for a body that Node would send without its length and not in chunks, because of the method. The target would take
 * it for another request (request smuggling). `headers` are those that are forwarded.
 */
export function isBodyUnframed(incoming: IncomingMessage): boolean {
  const { "transfer-encoding": transferEncoding, "content-length": length = "0" } = incoming.headers;
  const hasBody = transferEncoding !== undefined || length !== "0";
  const isFramed = endToEnd(incoming.rawHeaders).some(([name]) => name.toLowerCase() === "content-length");
  return hasBody && !isFramed && UNCHUNKED_METHODS.has(incoming.method ?? "GET");
}

/** Methods whose bodies Node doesn't send in chunks by itself. */
const UNCHUNKED_METHODS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/** Hop-by-hop headers, besides those that `Connection` names (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function endToEnd(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  }
  const connection = headers.filter(([name]) => name.toLowerCase() === "connection");
  const connectionHeaders = connection.flatMap(([, value]) => value.toLowerCase().split(/[\s,]+/));
  return headers.filter(
    ([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !connectionHeaders.includes(name.toLowerCase()),
  );
}

/** An http agent with keep-alive that connects through `dial`, to checked addresses only. */
export class DialAgent extends HttpAgent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true });
    refuseUpgrades(this);
    this.#dial = dial;
  }

  /** Closes idle keep-alive connections. */
  closeIdle(): void {
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  override createConnection(
    { host, port }: { host?: string | null; port?: number | string | null },
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#dial(host ?? "", Number(port)).then(
      (socket) => done(null, socket),
      (error) => done(error, undefined as never),
    );
  }
}
