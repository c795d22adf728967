// A fake internal network on loopback: internal servers, host names that resolve to them, and a server that is allowed.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Resolve } from "../../lib/egress/egress-dial.ts";

/** Where the open server is; every other address of this machine is internal. */
export const OPEN_ADDRESS = "127.0.0.2";

const PUBLIC_ADDRESS = "93.184.216.34";

/**
 * A resolver for these names, new for each capture: `internal.test` leads to this machine, `six.test` by IPv6, `mixed.test`
 * to a public address and to this machine, `alias.test` to a name as a CNAME would, `open.test` to the open server, `both.test`
 * to the open and the internal one. `rebinding.test` leads to the open server when it is asked for the first time and to the
 * internal one from then on, as an answer with a TTL of 0 would; `late-rebinding.test` from the third time on.
 */
export function internalNames(): Resolve {
  const asked = new Map<string, number>();
  return async (host) => {
    const times = (asked.get(host) ?? 0) + 1;
    asked.set(host, times);
    const addresses = answers[host]?.(times);
    if (!addresses) throw new Error(`${host} has no address`);
    return addresses;
  };
}

const answers: Readonly<Record<string, (times: number) => readonly string[]>> = {
  "internal.test": () => ["127.9.8.7"],
  "xn--bcher-kva.test": () => ["127.0.0.1"],
  "six.test": () => ["::1"],
  "mapped.test": () => ["::ffff:127.0.0.1"],
  "mixed.test": () => [PUBLIC_ADDRESS, "127.0.0.1"],
  "mixed-last.test": () => ["127.0.0.1", PUBLIC_ADDRESS],
  "mixed-six.test": () => [PUBLIC_ADDRESS, "::1"],
  "alias.test": () => ["localhost"],
  "open.test": () => [OPEN_ADDRESS],
  "both.test": () => ["127.0.0.1", OPEN_ADDRESS],
  "rebinding.test": (times) => [times < 2 ? OPEN_ADDRESS : "127.0.0.1"],
  "late-rebinding.test": (times) => [times < 3 ? OPEN_ADDRESS : "127.0.0.1"],
};

export interface Served {
  /** @default text/html */
  readonly type?: string;
  readonly body?: string;
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AttackSite {
  readonly origin: string;
  /** `127.0.0.1:<port>`, as a list of allowed origins wants it. */
  readonly hostPort: string;
  /** Answers requests for `path` with this from now on. */
  serve(path: string, what: Served): void;
  /** Answers requests for `/when-it-is-over` once this has resolved. */
  holdUntil(over: Promise<unknown>): void;
  close(): Promise<void>;
}

/** Starts a site that serves what it is given, and at `servedBy` what its address says. Any origin may read it. */
export async function startAttackSite(): Promise<AttackSite> {
  const served = new Map<string, Served>();
  let held: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site.test");
    if (pathname === "/when-it-is-over") {
      await held;
      return void answer.setHeader("content-type", "image/svg+xml").end(EMPTY_IMAGE);
    }
    const what = pathname === "/as" ? (JSON.parse(searchParams.get("what") ?? "{}") as Served) : served.get(pathname);
    if (!what) return void answer.writeHead(404).end();
    send(answer, what);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    serve: (path, what) => void served.set(path, what),
    holdUntil(over) {
      held = over;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Address at which a site answers with this. */
export function servedBy(origin: string, what: Served): string {
  return `${origin}/as?what=${encodeURIComponent(JSON.stringify(what)).replace(/'/g, "%27")}`;
}

function send(answer: ServerResponse, { type = "text/html", body = "", status = 200, headers = {} }: Served): void {
  answer.writeHead(status, { "content-type": type, "access-control-allow-origin": "*", ...headers }).end(body);
}

const EMPTY_IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`;

/** Servers on one port of several addresses. */
export interface PortOfMany {
  readonly port: number;
  /** Paths that were asked for at an address so far. */
  paths(address: string): readonly string[];
  close(): Promise<unknown>;
}

export async function startPortOfMany([first = OPEN_ADDRESS, ...others]: readonly string[]): Promise<PortOfMany> {
  const paths = new Map<string, string[]>();
  const start = async (address: string, port: number) => {
    const asked: string[] = [];
    paths.set(address, asked);
    // A new connection for each request, so that each is dialled.
    const headers = { "content-type": "text/html", "access-control-allow-origin": "*", connection: "close" };
    const server = createServer(({ url = "" }, answer) => {
      asked.push(url);
      answer.writeHead(200, headers).end("ok");
    });
    await once(server.listen(port, address), "listening");
    return server;
  };
  const server = await start(first, 0);
  const { port } = server.address() as AddressInfo;
  const servers = [server, ...(await Promise.all(others.map((address) => start(address, port))))];
  return {
    port,
    paths: (address) => paths.get(address) ?? [],
    close: () => Promise.all(servers.map((each) => once(each.close(), "close"))),
  };
}
