// Egress proxy: Chromium's only way to the network, a forward proxy (HTTP and CONNECT) on loopback that resolves a
// name, checks its addresses and dials the same ones (SSRF protection).
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createDial,
  type Dial,
  type DialOptions,
  EgressError,
  type EgressFailure,
  isRefusedUnresolved,
} from "./egress-dial.ts";
import { DialAgent, forward, isBodyUnframed, MAX_HEADER_BYTES } from "./egress-forward.ts";
import { type EgressTarget, parseAbsolute, parseAuthority } from "./egress-target.ts";
import { FailureLog } from "./failure-log.ts";
import { connectThrough, isBypassed, type UpstreamProxy } from "./upstream-proxy.ts";

/**
 * Concurrent connections on either side. Chromium opens 64 to a proxy, WebRTC a few more. A Lambda function has 1,024
 * file descriptors, https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html; a tunnel takes
 * two.
 */
const MAX_CONNECTIONS = 200;

/** Traffic through a proxy so far. */
export interface Traffic {
  /** Bytes to and from targets as sent: compressed, encrypted, with headers. */
  readonly bytes: number;
  /** Plain requests and tunnels, including refused ones. */
  readonly requests: number;
  /** Those of them that were refused by policy: the target's address, or that of the caller's upstream proxy. */
  readonly refusals: number;
}

export interface EgressProxy {
  readonly port: number;
  traffic(): Traffic;
  /** Why the last tunnel to the https origin of `url` failed, if it did. */
  tunnelFailure(url: string): EgressFailure | undefined;
  /**
   * Why the proxy itself answered the last plain http request for `url` with this status; undefined for a response of the
   * target.
   */
  requestFailure(url: string, status: number): EgressFailure | undefined;
  /** The IP address of the last connection to a host; undefined where there was none. */
  dialledAddress(host: string): string | undefined;
  /** Sends everything except the bypassed hosts through an upstream proxy from now on. */
  routeThrough(upstream: UpstreamProxy): void;
  /** Closes all connections. */
  close(): void;
}

/**
 * Starts the proxy of one capture on a free port of 127.0.0.1. It answers 403 for a refused target and 502 for a failed
 * one, without a body or a mark that a page could read. To Chromium these are pages, so check `requestFailure` for each
 * response.
 */
export async function startEgressProxy(
  options: Pick<DialOptions, "allowed" | "resolve" | "nameServers">,
): Promise<EgressProxy> {
  const requestFailures = new FailureLog();
  const tunnelFailures = new FailureLog();
  const sockets = new Set<Duplex>();
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.setMaxListeners(20); // both directions of a tunnel add about twelve listeners; Node warns from 11 on
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    return socket;
  };
  const closing = new AbortController();
  const dialChecked = createDial({ ...options, signal: closing.signal });
  const upstreamSockets = new Set<Socket>();
  const dialled = new Map<string, string>();
  let [requests, refusals, closedBytes] = [0, 0, 0];
  const toFailure = (error: unknown): EgressFailure => {
    const failure = error instanceof EgressError ? error.failure : "unreachable";
    if (failure === "refused" || failure === "proxy-not-allowed") refusals++;
    return failure;
  };
  const isFull = () => [...upstreamSockets].filter(({ destroyed }) => !destroyed).length >= MAX_CONNECTIONS;
  const dial: Dial = async (host, port) => {
    // Plain requests to many hosts would leave as many idle keep-alive connections.
    if (isFull()) agent.closeIdle();
    if (isFull()) throw new EgressError("unreachable");
    const socket = track(await dialChecked(host, port));
    if (socket.remoteAddress && dialled.size < MAX_CONNECTIONS) dialled.set(host.toLowerCase(), socket.remoteAddress);
    upstreamSockets.add(socket);
    socket.on("close", () => {
      upstreamSockets.delete(socket);
      closedBytes += transferredBytes(socket);
    });
    return socket;
  };
  const agent = new DialAgent(dial);
  let upstream: UpstreamProxy | undefined;
  /**
   * The upstream proxy for a target, if any. Policy applies there, too, as far as it can without resolving the name.
   */
  const findRoute = async ({ host, port }: EgressTarget): Promise<UpstreamProxy | undefined> => {
    if (!upstream || isBypassed(upstream.bypass, host, port)) return undefined;
    if (isRefusedUnresolved(host, port, options.allowed)) throw new EgressError("refused");
    return upstream;
  };
  const openTunnel = async (target: EgressTarget): Promise<Duplex> => {
    const route = await findRoute(target);
    return route ? connectThrough(dial, route, target) : dial(target.host, target.port);
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (incoming, response) => {
    requests++;
    const target = parseAbsolute(incoming.url ?? "");
    if (!target) return void response.writeHead(400).end();
    if (isBodyUnframed(incoming)) return void response.writeHead(411, { connection: "close" }).end();
    findRoute(target)
      .then((route) => forward(incoming, response, target, agent, route))
      .then(() => requestFailures.clear(requestKey(target)))
      .catch((error) => {
        if (response.headersSent) return void response.destroy();
        const failure = toFailure(error);
        requestFailures.set(requestKey(target), failure);
        response.writeHead(statusOf(failure)).end();
      });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connect", (incoming, client: Duplex, head: Buffer) => {
    requests++;
    track(client);
    const target = parseAuthority(incoming.url ?? "");
    if (!target) return void client.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    openTunnel(target).then(
      (tunnel) => {
        tunnelFailures.clear(target.origin);
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        if (head.length > 0) tunnel.write(head);
        const directions = [pipeline(client, tunnel), pipeline(tunnel, client)];
        for (const direction of directions) direction.catch(() => tunnel.destroy());
      },
      (error) => {
        const failure = toFailure(error);
        tunnelFailures.set(target.origin, failure);
        client.end(`HTTP/1.1 ${statusOf(failure)} Refused\r\n\r\n`);
      },
    );
  });
  server.on("upgrade", (_, client: Duplex) => client.destroy()); // ws:// arrives as CONNECT; no other upgrade is supported
  server.on("clientError", (_, client: Duplex) => client.destroy());
  server.on("connection", track);
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(0, "127.0.0.1", ready));

  return {
    port: (server.address() as AddressInfo).port,
    traffic: () => ({
      requests,
      refusals,
      bytes: [...upstreamSockets].reduce((sum, socket) => sum + transferredBytes(socket), closedBytes),
    }),
    dialledAddress: (host) => dialled.get(host.toLowerCase()),
    tunnelFailure: (url) => tunnelFailures.get(new URL(url).origin),
    requestFailure(url, status) {
      const target = parseAbsolute(url);
      const failure = target && requestFailures.get(requestKey(target));
      return failure !== undefined && statusOf(failure) === status ? failure : undefined;
    },
    routeThrough(proxy) {
      upstream = proxy;
    },
    close() {
      closing.abort();
      server.close();
      agent.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function transferredBytes({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}

/** The same for each spelling of a URL, with or without a fragment. */
function requestKey({ origin, path }: EgressTarget): string {
  return origin + path;
}

function statusOf(failure: EgressFailure): number {
  return failure === "refused" ? 403 : 502;
}
