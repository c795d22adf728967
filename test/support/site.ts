// The fixture web site on loopback, and traps: internal servers that no capture may reach.
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pages } from "./site-pages/pages.ts";

export interface SiteRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Site {
  /** `http://127.0.0.1:<port>`; the pages below it are those of `site-pages/`. */
  readonly origin: string;
  /** `127.0.0.1:<port>`, as a list of allowed origins wants it. */
  readonly hostPort: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly SiteRequest[];
  close(): Promise<void>;
}

/** Starts the fixture site on a free port of 127.0.0.1. Any path accepts a WebSocket, except `/never-answers`. */
export async function startSite(): Promise<Site> {
  const requests: SiteRequest[] = [];
  const webSockets = new Set<Duplex>();
  const record = (request: IncomingMessage) => {
    requests.push({ method: request.method ?? "", path: request.url ?? "/", headers: request.headers });
  };
  const server = createServer((request, answer) => {
    record(request);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site.test");
    const page = pages[pathname];
    if (!page) return void answer.writeHead(404, { "content-type": "text/plain" }).end(`There is no ${pathname} here.`);
    const html = page(searchParams, answer);
    if (html !== undefined) answer.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  server.on("upgrade", (request, socket) => {
    record(request);
    webSockets.add(socket.on("error", () => undefined).resume());
    if (request.url !== "/never-answers") greet(socket, request.headers["sec-websocket-key"] ?? "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const socket of webSockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Opens a WebSocket, sends the message "hello" and leaves it open. RFC 6455, sections 4.2.2 and 5.7. */
function greet(socket: Duplex, key: string): void {
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.write(Buffer.from([0x81, 5, ...Buffer.from("hello")]));
}

export interface Trap {
  readonly port: number;
  /** Paths that were asked for so far. */
  readonly paths: readonly string[];
  /** TCP connections made to it so far. */
  readonly connections: number;
  /** UDP datagrams sent to it so far. */
  readonly datagrams: number;
  close(): Promise<void>;
}

/**
 * Starts an internal server: it listens on every address of this machine, so that each spelling of loopback leads to
 * it, and counts who comes. A caller gets a harmless answer, so that nobody who was let in is kept waiting, on a connection
 * that is of no more use.
 */
export async function startTrap(): Promise<Trap> {
  const paths: string[] = [];
  let connections = 0;
  let datagrams = 0;
  const headers = { "access-control-allow-origin": "*", "content-type": "text/html", connection: "close" };
  const server = createServer(({ url = "" }, answer) => {
    paths.push(url);
    answer.writeHead(200, headers).end("internal");
  });
  server.on("connection", () => connections++);
  await once(server.listen(0), "listening");
  const { port } = server.address() as AddressInfo;
  const udp = createSocket("udp4", () => datagrams++);
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  return {
    port,
    paths,
    get connections() {
      return connections;
    },
    get datagrams() {
      return datagrams;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all([once(server, "close"), once(udp.close(), "close")]);
    },
  };
}

/** A port of 127.0.0.1 on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = await startTcp(() => undefined);
  await server.close();
  return server.port;
}

/** A TCP server on 127.0.0.1 that does with each connection what it is told. */
export async function startTcp(serve: (socket: Socket) => void): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    serve(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
