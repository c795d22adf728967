// The only way out of Chromium: a forward proxy on loopback that resolves, checks and dials the same address.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createDial,
  type Dial,
  EgressError,
  type EgressFailure,
  isRefusedUnresolved,
  type Resolve,
} from "./egress-dial.ts";
import { DialAgent, forward, MAX_HEADER } from "./egress-forward.ts";
import type { AllowedOrigins } from "./egress-policy.ts";
import { parseAbsolute, parseAuthority, type Target } from "./egress-target.ts";
import { connectThrough, isBypassed, type UpstreamProxy } from "./upstream-proxy.ts";

const FAILURE_HEADER = "x-egress-failure";

/**
 * Connections at once, on either side. Chromium has 64 to a proxy, and WebRTC some; a function of Lambda has 1,024 file
 * descriptors, https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html, of which a tunnel takes two.
 */
const MOST_CONNECTIONS = 200;

/** What has gone through a proxy so far. */
export interface Traffic {
  /** Bytes to and from targets as they were sent: compressed, encrypted, with headers. */
  readonly bytes: number;
  /** Plain requests and tunnels, refused ones among them. */
  readonly requests: number;
}

export interface EgressProxy {
  readonly port: number;
  traffic(): Traffic;
  /** Why the tunnel to an https origin failed the last time it was tried, if it did. */
  tunnelFailure(url: string): EgressFailure | undefined;
  /** Why the proxy answered a plain http request itself; undefined for an answer of the target, whatever it says. */
  failureIn(headers: Readonly<Record<string, string>>): EgressFailure | undefined;
  /** From now on, everything but the hosts it names is reached through another proxy. */
  routeThrough(upstream: UpstreamProxy): void;
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
    socket.setMaxListeners(20); // both directions of a tunnel listen a dozen times; Node warns from 11 on
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    return socket;
  };
  const closing = new AbortController();
  const dialChecked = createDial({ ...options, signal: closing.signal });
  const outward = new Set<Socket>();
  let [requests, closedBytes] = [0, 0];
  const isFull = () => [...outward].filter(({ destroyed }) => !destroyed).length >= MOST_CONNECTIONS;
  const dial: Dial = async (host, port) => {
    // A plain request to each of many hosts would leave as many connections, kept alive for nobody.
    if (isFull()) agent.closeIdle();
    if (isFull()) throw new EgressError("unreachable");
    const socket = track(await dialChecked(host, port));
    outward.add(socket);
    socket.on("close", () => {
      outward.delete(socket);
      closedBytes += bytesOf(socket);
    });
    return socket;
  };
  const agent = new DialAgent(dial);
  let upstream: UpstreamProxy | undefined;
  /** The proxy that leads to a target, if any. Through it, too, nobody is led to an address that is refused as it is. */
  const routeTo = async ({ host, port }: Target): Promise<UpstreamProxy | undefined> => {
    if (!upstream || isBypassed(upstream.bypass, host, port)) return undefined;
    if (isRefusedUnresolved(host, port, options.allowed)) throw new EgressError("refused");
    return upstream;
  };
  const dig = async (target: Target): Promise<Duplex> => {
    const route = await routeTo(target);
    return route ? connectThrough(dial, route, target) : dial(target.host, target.port);
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER }, (incoming, answer) => {
    requests++;
    const target = parseAbsolute(incoming.url ?? "");
    if (!target) return void answer.writeHead(400).end();
    routeTo(target)
      .then((route) => forward(incoming, answer, target, agent, route))
      .catch((error) => {
        if (answer.headersSent) answer.destroy();
        else answer.writeHead(statusOf(error), { [FAILURE_HEADER]: `${mark} ${failureOf(error)}` }).end();
      });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connect", (incoming, client: Duplex, head: Buffer) => {
    requests++;
    track(client);
    const target = parseAuthority(incoming.url ?? "");
    if (!target) return void client.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    dig(target).then(
      (tunnel) => {
        tunnelFailures.delete(target.origin);
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        if (head.length > 0) tunnel.write(head);
        const directions = [pipeline(client, tunnel), pipeline(tunnel, client)];
        for (const direction of directions) direction.catch(() => tunnel.destroy());
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
    traffic: () => ({ requests, bytes: [...outward].reduce((sum, socket) => sum + bytesOf(socket), closedBytes) }),
    tunnelFailure: (url) => tunnelFailures.get(new URL(url).origin),
    failureIn(headers) {
      const [given, failure] = (headers[FAILURE_HEADER] ?? "").split(" ");
      return given === mark ? (failure as EgressFailure) : undefined;
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

function bytesOf({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}

function failureOf(error: unknown): EgressFailure {
  return error instanceof EgressError ? error.failure : "unreachable";
}

function statusOf(error: unknown): number {
  return failureOf(error) === "refused" ? 403 : 502;
}
