// Egress proxy: which targets it forwards to, and how it refuses, fails and counts.
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { type EgressProxy, startEgressProxy } from "../../../lib/engine/egress/egress-proxy.ts";
import { FailureLog } from "../../../lib/engine/egress/failure-log.ts";
import type { Resolve } from "../../../lib/engine/egress/name-resolver.ts";
import { closedPort, type Site, startSite, startTcp, startTrap, type Trap } from "../../fixtures/site.ts";
import { closing } from "../../support/closing.ts";
import { answerTo, ask, say, tunnel } from "../../support/proxy-client.ts";
import { slowTest } from "../../support/slow-run.ts";

const site = async (): Promise<Site> => closing(await startSite());
const trap = async (): Promise<Trap> => closing(await startTrap());

async function proxyTo(allow: readonly string[], resolve: Resolve = noNames): Promise<EgressProxy> {
  return closing(await startEgressProxy({ allowed: parseAllowedOrigins(allow.join(",")), resolve }));
}

const noNames: Resolve = async (host) => {
  throw new Error(`${host} has no address`);
};

describe("egress proxy: a plain http request", () => {
  test("reaches an allowed target with method, headers and body, and returns its response", async () => {
    const echo = createServer(async (incoming, answer) => {
      const body = await text(incoming);
      answer.writeHead(
        207,
        "Many",
        [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ].flat(),
      );
      answer.end(`${incoming.method} ${incoming.url} ${incoming.headers["x-kept"]} ${body}`);
    }).listen(0, "127.0.0.1");
    closing(echo);
    await once(echo, "listening");
    const hostPort = `127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const proxy = await proxyTo([hostPort]);

    const answer = await ask(proxy, `http://${hostPort}/a%20b?c=d`, {
      method: "POST",
      headers: { "x-kept": "yes" },
      body: "sent",
    });

    expect(answer).toMatchObject({ status: 207, body: "POST /a%20b?c=d yes sent" });
    expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(answer.failure).toBeUndefined();
  });

  test("goes to the host in its URL, regardless of its Host header", async () => {
    const [allowed, internal] = [await site(), await trap()];
    const proxy = await proxyTo([allowed.hostPort]);

    const toAllowed = await ask(proxy, `${allowed.origin}/box`, { headers: { host: `127.0.0.1:${internal.port}` } });
    const toInternal = await ask(proxy, `http://127.0.0.1:${internal.port}/`, { headers: { host: allowed.hostPort } });

    expect([toAllowed.status, toInternal.status]).toEqual([200, 403]);
    expect(allowed.requests.map(({ path }) => path)).toEqual(["/box"]);
    expect(internal.connections).toBe(0);
  });

  test.each([
    ["an address of this machine", (port: number) => `http://127.0.0.1:${port}/`],
    ["another spelling of it", (port: number) => `http://0x7f000001:${port}/`],
    ["a short spelling of it", (port: number) => `http://127.1:${port}/`],
    ["one number", (port: number) => `http://2130706433:${port}/`],
    ["IPv6 loopback", (port: number) => `http://[::1]:${port}/`],
    ["mapped loopback", (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ["the address that means every one", (port: number) => `http://0.0.0.0:${port}/`],
    ["a name that leads to it", (port: number) => `http://internal.test:${port}/`],
  ])("to %s is refused with an empty 403", async (_, url) => {
    const internal = await trap();
    const proxy = await proxyTo([], async () => ["127.0.0.1"]);

    const answer = await ask(proxy, url(internal.port));

    expect(answer).toMatchObject({ status: 403, body: "" });
    expect(answer.failure).toBe("refused");
    expect(internal.connections).toBe(0);
  });

  test("to a name that does not resolve gets an empty 502 with the reason", async () => {
    const proxy = await proxyTo([]);
    const answer = await ask(proxy, "http://nowhere.test/");
    expect(answer).toMatchObject({ status: 502, body: "" });
    expect(answer.failure).toBe("unresolved");
  });

  test("to a closed port gets an empty 502 with the reason", async () => {
    const port = await closedPort();
    const proxy = await proxyTo([`127.0.0.1:${port}`]);
    const answer = await ask(proxy, `http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ status: 502, body: "" });
    expect(answer.failure).toBe("unreachable");
  });

  test("to a server that hangs up without a response gets an empty 502", async () => {
    const { port } = closing(await startTcp((socket) => socket.once("data", () => socket.destroy())));
    const proxy = await proxyTo([`127.0.0.1:${port}`]);
    const answer = await ask(proxy, `http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ status: 502, body: "" });
    expect(answer.failure).toBe("unreachable");
  });

  test("may have headers as long as Chromium allows, and so may its response", async () => {
    const long = "x".repeat(100 * 1024);
    const server = createServer({ maxHeaderSize: 2 ** 20 }, ({ headers }, answer) => {
      answer.setHeader("x-long", headers["x-long"] ?? "").end("ok");
    });
    closing(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = await proxyTo([hostPort]);
    const options = { port: proxy.port, path: `http://${hostPort}/`, headers: { "x-long": long }, agent: false };

    const [answer] = await once(request({ ...options, host: "127.0.0.1", maxHeaderSize: 2 ** 20 }).end(), "response");

    expect(answer.resume().headers["x-long"]).toBe(long);
  });

  test("uses one connection to the target for several requests in a row", async () => {
    let connections = 0;
    const server = createServer((_, answer) => void answer.end("ok")).on("connection", () => connections++);
    closing(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = await proxyTo([hostPort]);

    for (let n = 0; n < 5; n++) await ask(proxy, `http://${hostPort}/${n}`);

    expect(connections).toBe(1);
  });

  test("loses the headers meant for the proxy or for one connection", async () => {
    const target = await site();
    const proxy = await proxyTo([target.hostPort]);

    const answer = await answerTo(
      proxy,
      `GET ${target.origin}/box HTTP/1.1\r\nHost: ${target.hostPort}\r\nX-Kept: 1\r\nProxy-Connection: keep-alive\r\n` +
        "Proxy-Authorization: Basic eA==\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\n\r\n",
    );

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    // The connection to the target is the proxy's own, kept alive as it likes.
    expect(target.requests.map(({ headers }) => headers)).toEqual([
      { host: target.hostPort, "x-kept": "1", connection: "keep-alive" },
    ]);
  });

  test("loses the response headers meant for the proxy", async () => {
    const target = closing(
      await startTcp((socket) =>
        socket.once("data", () =>
          socket.end(
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Kept: 1\r\nProxy-Authenticate: Basic\r\nKeep-Alive: timeout=77\r\n\r\nok",
          ),
        ),
      ),
    );
    const proxy = await proxyTo([`127.0.0.1:${target.port}`]);

    const { headers, body } = await ask(proxy, `http://127.0.0.1:${target.port}/`);

    expect(body).toBe("ok");
    expect(headers).toMatchObject({ "x-kept": "1", "content-length": "2" });
    expect(headers).not.toHaveProperty("proxy-authenticate");
    expect(headers["keep-alive"]).not.toBe("timeout=77");
  });

  test.each([
    ["of a stated length", "Content-Length: 100\r\n\r\nonly this"],
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n"],
  ])("whose response, %s, breaks off does not look complete", async (_, rest) => {
    const target = closing(
      await startTcp((socket) => socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))),
    );
    const proxy = await proxyTo([`127.0.0.1:${target.port}`]);

    await expect(ask(proxy, `http://127.0.0.1:${target.port}/`)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  const smuggled = "GET /smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n";
  const chunked = `Transfer-Encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
  const unnamedLength = `Content-Length: ${smuggled.length}\r\nConnection: content-length\r\n\r\n${smuggled}`;

  test.each(
    ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].flatMap((method) => [
      [method, chunked],
      [method, unnamedLength],
    ]),
  )("with a body whose length the target would not know is refused: %s, %j", async (method, rest) => {
    const target = await site();
    const proxy = await proxyTo([target.hostPort]);
    const answer = await answerTo(proxy, `${method} ${target.origin}/box HTTP/1.1\r\nHost: a.test\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 411 /);
    expect(target.requests).toEqual([]);
  });

  test.each([
    ["GET", `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ["POST", chunked],
    ["POST", unnamedLength],
    ["PROPFIND", chunked],
  ])("has a body of which the target knows the end: %s, %j", async (method, rest) => {
    const received: string[] = [];
    const server = closing(
      createServer(async (incoming, answer) => {
        received.push(`${incoming.method} ${incoming.url} ${await text(incoming)}`);
        answer.end("ok");
      }),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = await proxyTo([hostPort]);
    const answer = await answerTo(proxy, `${method} http://${hostPort}/box HTTP/1.1\r\nHost: a.test\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toEqual([`${method} /box ${smuggled}`]);
  });

  test("cannot switch to another protocol", async () => {
    const target = await site();
    const proxy = await proxyTo([target.hostPort]);
    const answer = await answerTo(
      proxy,
      `GET ${target.origin}/box HTTP/1.1\r\nHost: ${target.hostPort}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(answer).toBe("");
    expect(target.requests).toEqual([]);
  });

  test.each([["/box"], ["https://127.0.0.1/"], ["ftp://127.0.0.1/"], ["file:///etc/passwd"]])(
    "for %s is malformed: only absolute http URLs are accepted",
    async (target) => {
      const proxy = await proxyTo([]);
      expect(await ask(proxy, target)).toMatchObject({ status: 400, body: "" });
    },
  );

  test.each([["\x16\x03\x01 hello\r\n\r\n"], ["GET nonsense HTTP/1.1\r\n\r\n"]])(
    "that is not HTTP is disconnected: %j",
    async (words) => {
      const proxy = await proxyTo([]);
      expect(await answerTo(proxy, words)).toBe("");
    },
  );
});

describe("egress proxy: its own responses", () => {
  /** A server whose responses have this status, until it is closed. */
  async function serverOf(status: number) {
    const server = closing(createServer((_, answer) => void answer.writeHead(status, { connection: "close" }).end()));
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { server, hostPort: `127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  test("have no header that shows them from others", async () => {
    const proxy = await proxyTo([]);
    const refused = await ask(proxy, "http://127.0.0.1/");
    const unresolved = await ask(proxy, "http://nowhere.test/");
    expect([refused.failure, unresolved.failure]).toEqual(["refused", "unresolved"]);
    for (const { headers } of [refused, unresolved]) {
      expect(Object.keys(headers).toSorted()).toEqual(["connection", "date", "transfer-encoding"]);
    }
  });

  test("are not those of a target with the same status", async () => {
    for (const status of [403, 502]) {
      const { hostPort } = await serverOf(status);
      const answer = await ask(await proxyTo([hostPort]), `http://${hostPort}/`);
      expect([answer.status, answer.failure]).toEqual([status, undefined]);
    }
  });

  test("are known by URL, regardless of its fragment, until the target responds", async () => {
    const port = await closedPort();
    const url = `http://127.0.0.1:${port}/page?a`;
    const proxy = await proxyTo([`127.0.0.1:${port}`]);
    await ask(proxy, url);
    const urls = [url, `${url}#b`, `http://127.0.0.1:${port}/page`, "https://127.0.0.1/", "nonsense"];
    expect(urls.map((each) => proxy.requestFailure(each, 502))).toEqual(["unreachable", "unreachable", ...Array(3)]);
    expect(proxy.requestFailure(url, 200)).toBeUndefined();

    const late = closing(createServer((_, answer) => void answer.writeHead(502).end()));
    await once(late.listen(port, "127.0.0.1"), "listening");
    expect((await ask(proxy, url)).failure).toBeUndefined();
  });

  test("are forgotten, the oldest first, when there are very many", () => {
    const log = new FailureLog();
    for (let n = 0; n < 10_001; n++) log.set(`http://${n}.test/`, "unresolved");
    expect([0, 1, 10_000].map((n) => log.get(`http://${n}.test/`))).toEqual([undefined, "unresolved", "unresolved"]);
  });
});

describe("egress proxy: a tunnel", () => {
  test("carries bytes both ways to an allowed target", async () => {
    const echo = closing(await startTcp((socket) => socket.pipe(socket)));
    const proxy = await proxyTo([`127.0.0.1:${echo.port}`]);
    const socket = await say(proxy, tunnel(`127.0.0.1:${echo.port}`));
    expect(String((await once(socket, "data"))[0])).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");

    socket.write("there and back");

    expect(String((await once(socket, "data"))[0])).toBe("there and back");
  });

  test("does not lose data sent along with the request", async () => {
    const echo = closing(await startTcp((socket) => socket.pipe(socket)));
    const proxy = await proxyTo([`127.0.0.1:${echo.port}`]);
    const socket = await say(proxy, `${tunnel(`127.0.0.1:${echo.port}`)}early`);
    let received = "";
    for await (const chunk of socket) {
      received += chunk;
      if (received.endsWith("early")) break;
    }
    expect(received).toBe("HTTP/1.1 200 Connection Established\r\n\r\nearly");
  });

  test.each([
    ["an address of this machine", (port: number) => `127.0.0.1:${port}`],
    ["another spelling of it", (port: number) => `0x7f000001:${port}`],
    ["IPv6 loopback", (port: number) => `[::1]:${port}`],
    ["a name that leads to it", (port: number) => `internal.test:${port}`],
  ])("to %s is refused with a 403", async (_, authority) => {
    const internal = await trap();
    const proxy = await proxyTo([], async () => ["::1"]);
    const target = authority(internal.port);

    expect(await answerTo(proxy, tunnel(target))).toBe("HTTP/1.1 403 Refused\r\n\r\n");

    expect(proxy.tunnelFailure(`https://${target}/page?x`)).toBe("refused");
    expect(internal.connections).toBe(0);
  });

  test("that cannot be opened gets a 502, and the reason is known until it succeeds", async () => {
    const port = await closedPort();
    const proxy = await proxyTo([`127.0.0.1:${port}`]);

    expect(await answerTo(proxy, tunnel(`127.0.0.1:${port}`))).toBe("HTTP/1.1 502 Refused\r\n\r\n");
    expect(await answerTo(proxy, tunnel("nowhere.test:443"))).toBe("HTTP/1.1 502 Refused\r\n\r\n");

    expect(proxy.tunnelFailure(`https://127.0.0.1:${port}/`)).toBe("unreachable");
    expect(proxy.tunnelFailure("https://nowhere.test/")).toBe("unresolved");
    expect(proxy.tunnelFailure("https://elsewhere.test/")).toBeUndefined();

    const late = createServer().listen(port, "127.0.0.1");
    closing(late);
    await once(late, "listening");
    expect(await answerTo(proxy, tunnel(`127.0.0.1:${port}`))).toMatch(/ 200 /);
    expect(proxy.tunnelFailure(`https://127.0.0.1:${port}/`)).toBeUndefined();
  });

  test.each([["127.0.0.1"], ["user@127.0.0.1:80"], ["127.0.0.1:99999"], ["http://127.0.0.1:80"], ["::1:80"], [":80"]])(
    "to %s is malformed",
    async (authority) => {
      const proxy = await proxyTo([]);
      expect(await answerTo(proxy, tunnel(authority))).toBe("HTTP/1.1 400 Bad Request\r\n\r\n");
    },
  );
});

describe("egress proxy: host names", () => {
  /** A good server at 127.0.0.2 and an internal one at 127.0.0.1, on the same port. */
  async function twoServers() {
    // A new connection for each request, so that each is dialled.
    const good = createServer((_, answer) => void answer.setHeader("connection", "close").end("good")).listen(
      0,
      "127.0.0.2",
    );
    closing(good);
    await once(good, "listening");
    const { port } = good.address() as AddressInfo;
    let connections = 0;
    const internal = createServer((_, answer) => void answer.end("internal")).on("connection", () => connections++);
    closing(internal.listen(port, "127.0.0.1"));
    await once(internal, "listening");
    return { port, internalConnections: () => connections };
  }

  test("that point elsewhere after the check still lead to the checked address (DNS rebinding)", async () => {
    const { port, internalConnections } = await twoServers();
    const answers = [["127.0.0.2"], ["127.0.0.1"], ["127.0.0.1"]];
    const proxy = await proxyTo([`127.0.0.2:${port}`], async () => answers.shift() ?? []);

    const bodies = [];
    for (let n = 0; n < 3; n++) {
      const { body } = await ask(proxy, `http://rebinding.test:${port}/`);
      bodies.push(body);
    }

    expect(bodies).toEqual(["good", "good", "good"]);
    expect(internalConnections()).toBe(0);
  });

  test("are resolved once in a capture, for requests and tunnels alike", async () => {
    const { port } = await twoServers();
    const requested: string[] = [];
    const proxy = await proxyTo([`127.0.0.2:${port}`], async (host) => {
      requested.push(host);
      return ["127.0.0.2"];
    });

    await Promise.all([ask(proxy, `http://one.test:${port}/`), ask(proxy, `http://one.test:${port}/again`)]);
    await answerTo(proxy, tunnel(`one.test:${port}`));
    await ask(proxy, `http://other.test:${port}/`);

    expect(requested).toEqual(["one.test", "other.test"]);
  });

  test("with one internal address among public ones are refused", async () => {
    const internal = await trap();
    const proxy = await proxyTo([], async () => ["93.184.216.34", "127.0.0.1"]);
    const answer = await ask(proxy, `http://mixed.test:${internal.port}/`);
    expect(answer.failure).toBe("refused");
    expect(internal.connections).toBe(0);
  });

  test("with several allowed addresses lead to one that answers", async () => {
    const { port } = await twoServers();
    const proxy = await proxyTo([`127.0.0.3:${port}`, `127.0.0.2:${port}`], async () => ["127.0.0.3", "127.0.0.2"]);
    expect(await ask(proxy, `http://several.test:${port}/`)).toMatchObject({ status: 200, body: "good" });
  });
});

describe("egress proxy: closing", () => {
  test("ends requests, tunnels and the connections behind them", async () => {
    const ends: Promise<unknown>[] = [];
    const target = closing(await startTcp((socket) => ends.push(once(socket.resume(), "close"))));
    const hostPort = `127.0.0.1:${target.port}`;
    const proxy = await proxyTo([hostPort]);
    const open = await say(proxy, tunnel(hostPort));
    await once(open, "data");
    const asking = ask(proxy, `http://${hostPort}/`);
    const requested = expect(asking).rejects.toThrow("socket hang up");
    while (ends.length < 2) await new Promise(setImmediate);

    proxy.close();

    await requested;
    await once(open, "close");
    await Promise.all(ends);
    await expect(ask(proxy, `http://${hostPort}/`)).rejects.toThrow("ECONNREFUSED");
  });
});

test("egress proxy: dials no more once it is closed, not even for a name that resolves late", async () => {
  const internal = await trap();
  const name = Promise.withResolvers<readonly string[]>();
  const requested = Promise.withResolvers<void>();
  const resolve: Resolve = () => {
    requested.resolve();
    return name.promise;
  };
  const proxy = await proxyTo([`127.0.0.1:${internal.port}`], resolve);
  const socket = await say(proxy, tunnel(`late.test:${internal.port}`));
  await requested.promise;
  proxy.close();
  name.resolve(["127.0.0.1"]);
  await once(socket, "close");
  expect(internal.connections).toBe(0);
});

describe("egress proxy: traffic is counted", () => {
  test("in both directions, of plain requests and tunnels, while they are open and afterwards", async () => {
    const target = await site();
    const echo = closing(await startTcp((socket) => socket.pipe(socket)));
    const proxy = await proxyTo([target.hostPort, `127.0.0.1:${echo.port}`]);
    expect(proxy.traffic()).toEqual({ requests: 0, refusals: 0, bytes: 0 });

    await ask(proxy, `${target.origin}/bytes?megabytes=1`, { method: "POST", body: "x".repeat(1000) });
    const plain = proxy.traffic();
    expect(plain).toMatchObject({ requests: 1, bytes: expect.closeTo(2 ** 20 + 1000, -3) });

    const socket = await say(proxy, tunnel(`127.0.0.1:${echo.port}`));
    await once(socket, "data");
    socket.write("there");
    await once(socket, "data");
    expect(proxy.traffic()).toEqual({ requests: 2, refusals: 0, bytes: plain.bytes + 2 * "there".length });

    const ended = once(socket, "close");
    socket.destroy();
    await ended;
    proxy.close();
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate); // what is destroyed has closed by now
    expect(proxy.traffic()).toEqual({ requests: 2, refusals: 0, bytes: plain.bytes + 2 * "there".length });
  });

  test("including refused requests, which are counted apart from those that fail", async () => {
    const proxy = await proxyTo([]);
    await ask(proxy, "http://127.0.0.1/");
    await answerTo(proxy, tunnel("127.0.0.1:80"));
    await ask(proxy, "http://nowhere.test/");
    expect(proxy.traffic()).toEqual({ requests: 3, refusals: 2, bytes: 0 });
  });
});

describe("egress proxy: concurrent connections", () => {
  /** A server that counts those it has, on one port of many addresses. */
  async function manyHosts() {
    let [now, most] = [0, 0];
    const server = createServer({ keepAliveTimeout: 60_000 }, (_, answer) => void answer.end("ok"));
    server.on("connection", (socket) => {
      most = Math.max(most, ++now);
      socket.on("close", () => now--);
    });
    closing({ close: () => server.close().closeAllConnections() });
    await once(server.listen(0, "0.0.0.0"), "listening");
    const { port } = server.address() as AddressInfo;
    const hosts = Array.from(
      { length: 210 },
      (_, index) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}:${port}`,
    );
    return { hosts, most: () => most };
  }

  slowTest("to ever more hosts are bounded, and each is answered", async () => {
    const { hosts, most } = await manyHosts();
    const proxy = await proxyTo(hosts);
    const statuses = [];
    for (const host of hosts) statuses.push((await ask(proxy, `http://${host}/`)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(most()).toBeLessThanOrEqual(201);
  });

  test("from the browser are bounded", async () => {
    const { hosts, most } = await manyHosts();
    const proxy = await proxyTo(hosts);
    const answers = await Promise.all(hosts.map((host) => answerTo(proxy, tunnel(host)).catch(() => "")));
    expect(answers.filter((answer) => answer.includes(" 200 "))).toHaveLength(200);
    expect(most()).toBe(200);
  });
});
