// The only way out of Chromium: a forward proxy on loopback that resolves, checks and dials the same address.
import { randomUUID } from "node:crypto";
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createDial, type Dial, EgressError, type EgressFailure, type Resolve } from "./egress-dial.ts";
import type { AllowedOrigins } from "./egress-policy.ts";

const FAILURE_HEADER = "x-egress-failure";

export interface EgressProxy {
  readonly port: number;
  /** Why the tunnel to an https origin failed the last time it was tried, if it did. */
  tunnelFailure(url: string): EgressFailure | undefined;
  /** Why the proxy answered a plain http request itself; undefined for an answer of the target, whatever it says. */
  failureIn(headers: Readonly<Record<string, string>>): EgressFailure | undefined;
  /** Cuts every connection. */
  close(): void;
}

/**
 * Starts a proxy for one capture on a free port of 127.0.0.1. A refused target answers 403, a failed one 502, both
 * without a body. To Chromium these are pages, so whoever navigates must ask `failureIn` before believing an answer.
 */
export async function startEgressProxy(options: { allowed: AllowedOrigins; resolve?: Resolve }): Promise<EgressProxy> {
  const tunnelFailures = new Map<string, EgressFailure>();
  /** Marks the proxy's own answers; a page cannot know it, so it cannot pretend to have been refused. */
  const mark = randomUUID();
  const sockets = new Set<Duplex>();
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    return socket;
  };
  const closing = new AbortController();
  const dialChecked = createDial({ ...options, signal: closing.signal });
  const dial: Dial = async (host, port) => track(await dialChecked(host, port));
  const agent = new DialAgent(dial);

  const server = createServer((incoming, answer) => {
    const target = parseAbsolute(incoming.url ?? "");
    if (!target) return void answer.writeHead(400).end();
    forward(incoming, answer, target, agent).catch((error) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(statusOf(error), { [FAILURE_HEADER]: `${mark} ${failureOf(error)}` }).end();
    });
  });
  server.on("connect", (incoming, client: Duplex, head: Buffer) => {
    track(client);
    const target = parseAuthority(incoming.url ?? "");
    if (!target) return void client.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    dial(target.host, target.port).then(
      (upstream) => {
        tunnelFailures.delete(target.origin);
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        if (head.length > 0) upstream.write(head);
        const tunnel = [pipeline(client, upstream), pipeline(upstream, client)];
        for (const direction of tunnel) direction.catch(() => upstream.destroy());
      },
      (error) => {
        tunnelFailures.set(target.origin, failureOf(error));
        client.end(`HTTP/1.1 ${statusOf(error)} Refused\r\n\r\n`);
      },
    );
  });
  server.on("upgrade", (_, client: Duplex) => client.destroy()); // ws:// arrives as CONNECT; nothing else may switch
  server.on("clientError", (_, client: Duplex) => client.destroy());
  server.on("connection", track);
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(0, "127.0.0.1", ready));

  return {
    port: (server.address() as AddressInfo).port,
    tunnelFailure: (url) => tunnelFailures.get(new URL(url).origin),
    failureIn(headers) {
      const [given, failure] = (headers[FAILURE_HEADER] ?? "").split(" ");
      return given === mark ? (failure as EgressFailure) : undefined;
    },
    close() {
      closing.abort();
      server.close();
      agent.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Keeps connections alive as any agent does, and makes them by dialling checked addresses only. */
class DialAgent extends HttpAgent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: true });
    this.#dial = dial;
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

interface Target {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Path and query of a plain http request; empty for a tunnel. */
  readonly path: string;
}

/** Plain http requests name their target in absolute form; the Host header is never believed. */
function parseAbsolute(url: string): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, hostname, port, pathname, search } = new URL(url);
  if (protocol !== "http:") return undefined;
  return { origin, host: unbracketed(hostname), port: Number(port || 80), path: pathname + search };
}

/** A tunnel carries https, ws or wss. Its origin is noted as https, the only one of these that is navigated to. */
function parseAuthority(authority: string): Target | undefined {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:/@\s]+):(\d{1,5})$/.exec(authority) ?? [];
  if (host === undefined || !URL.canParse(`https://${host}:${port}`)) return undefined;
  const { origin, hostname } = new URL(`https://${host}:${port}`);
  return { origin, host: unbracketed(hostname), port: Number(port), path: "" };
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
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

async function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  target: Target,
  agent: HttpAgent,
): Promise<void> {
  const upstream = httpRequest({
    agent,
    host: target.host,
    port: target.port,
    path: target.path,
    method: incoming.method ?? "GET",
    headers: endToEnd(incoming.rawHeaders).flat(),
    setHost: false,
  });
  answer.on("close", () => upstream.destroy());
  const response = await new Promise<IncomingMessage>((received, failed) => {
    upstream.on("response", received).on("error", failed);
    incoming.on("error", failed).pipe(upstream);
  });
  answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders).flat());
  // A body that breaks off breaks the page's connection too: a truncated asset must not look complete.
  pipeline(response, answer).catch(() => answer.destroy());
}

function endToEnd(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  }
  const connection = headers.filter(([name]) => name.toLowerCase() === "connection");
  const named = connection.flatMap(([, value]) => value.toLowerCase().split(/[\s,]+/));
  return headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.includes(name.toLowerCase()));
}

function failureOf(error: unknown): EgressFailure {
  return error instanceof EgressError ? error.failure : "unreachable";
}

function statusOf(error: unknown): number {
  return failureOf(error) === "refused" ? 403 : 502;
}
