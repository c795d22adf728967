// One plain http request, handed on by the egress proxy to its target or to another proxy.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dial } from "./egress-dial.ts";
import type { Target } from "./egress-target.ts";
import { connectError, credentialsFor, rejectAsProxy, type UpstreamProxy } from "./upstream-proxy.ts";

/** What Chromium itself takes in an answer. Node's own limit of 16 KB is less than a page with many cookies sends. */
export const MAX_HEADER = 256 * 1024;

/**
 * Asks the target, or another proxy for it, and hands the answer on. Rejects with an EgressError, or the error of the
 * connection, when there is none; nothing has been answered then.
 */
export async function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  target: Target,
  agent: HttpAgent,
  route: UpstreamProxy | undefined,
): Promise<void> {
  const request = httpRequest({
    agent,
    host: route?.host ?? target.host,
    port: route?.port ?? target.port,
    path: route ? target.origin + target.path : target.path,
    method: incoming.method ?? "GET",
    headers: [...endToEnd(incoming.rawHeaders), ...(route ? Object.entries(credentialsFor(route)) : [])].flat(),
    setHost: false,
    maxHeaderSize: MAX_HEADER,
  });
  answer.on("close", () => request.destroy());
  const answered = new Promise<IncomingMessage>((received, failed) => {
    request.on("response", received).on("error", failed);
    request.on("close", () => failed(new Error("The connection ended."))); // after a 101, for which nobody asked
    incoming.on("error", failed).pipe(request);
  });
  const response = await (route ? answered.catch(rejectAsProxy) : answered);
  if (route && response.statusCode === 407) throw connectError(407); // no other status is the proxy's alone
  answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders).flat());
  // A body that breaks off breaks the page's connection too: a truncated asset must not look complete.
  pipeline(response, answer).catch(() => answer.destroy());
}

/** Headers that end at a proxy, beside those that `Connection` names (RFC 9110, section 7.6.1). */
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
  const named = connection.flatMap(([, value]) => value.toLowerCase().split(/[\s,]+/));
  return headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.includes(name.toLowerCase()));
}

/** Keeps connections alive as any agent does, and makes them by dialling checked addresses only. */
export class DialAgent extends HttpAgent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true });
    this.#dial = dial;
  }

  /** Closes the connections that are kept alive for a next request. */
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
