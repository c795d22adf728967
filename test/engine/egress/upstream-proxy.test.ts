// Upstream proxy of the caller: plain requests, tunnels, credentials, bypassed hosts.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { type EgressProxy, startEgressProxy } from "../../../lib/engine/egress/egress-proxy.ts";
import type { Resolve } from "../../../lib/engine/egress/name-resolver.ts";
import { isBypassed, upstreamProxy } from "../../../lib/engine/egress/upstream-proxy.ts";
import { closedPort, startSite, startTcp, startTrap } from "../../fixtures/site.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";
import { closing } from "../../support/closing.ts";
import { ask, dig } from "../../support/proxy-client.ts";

afterEach(() => vi.useRealTimers());

const CREDENTIALS = "jörg:p@ss:word";
const AUTHORIZATION = `Basic ${Buffer.from(CREDENTIALS).toString("base64")}`;
const ENCODED = "j%C3%B6rg:p%40ss%3Aword";

/** A proxy of the caller's: it notes what it was requested, and answers or echoes by itself where it does not refuse. */
async function startUpstream({ status = 200, tunnelStatus = 200, first = "" } = {}) {
  const requested: { method: string; url: string; headers: IncomingMessage["headers"] }[] = [];
  const note = ({ method = "", url = "", headers }: IncomingMessage) => void requested.push({ method, url, headers });
  const server = createServer((incoming, answer) => {
    note(incoming);
    answer.writeHead(status, { "proxy-authenticate": "Basic" }).end("from the proxy");
  });
  server.on("connect", (incoming, socket) => {
    note(incoming);
    if (tunnelStatus !== 200) return void socket.end(`HTTP/1.1 ${tunnelStatus} No\r\nContent-Length: 2\r\n\r\nno`);
    socket.write(`HTTP/1.1 200 Yes\r\nVia: me\r\n\r\n${first}`);
    socket.on("error", () => socket.destroy()).pipe(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  closing({
    close() {
      server.closeAllConnections();
      return server.close();
    },
  });
  return { port, hostPort: `127.0.0.1:${port}`, url: `http://${ENCODED}@127.0.0.1:${port}`, requested };
}

const noNames: Resolve = async (host) => {
  throw new Error(`${host} has no address`);
};

async function egressThrough(
  upstream: string,
  { allow = [] as string[], bypass = [] as string[], resolve = noNames } = {},
) {
  const proxy = closing(await startEgressProxy({ allowed: parseAllowedOrigins(allow.join(",")), resolve }));
  proxy.routeThrough(upstreamProxy(upstream, bypass));
  return proxy;
}

describe("upstream proxy: a plain http request", () => {
  test("goes to the proxy with its whole URL, so that the proxy resolves the name", async () => {
    const upstream = await startUpstream();
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });

    const headers = { host: "shop.test:8080", "x-kept": "1", "proxy-authorization": "Basic cGFnZQ==" };
    const answer = await ask(proxy, "http://shop.test:8080/a%20b?c=d", { method: "POST", headers, body: "sent" });

    expect(answer).toMatchObject({ status: 200, body: "from the proxy", failure: undefined });
    expect(answer.headers).not.toHaveProperty("proxy-authenticate");
    expect(upstream.requested).toEqual([
      {
        method: "POST",
        url: "http://shop.test:8080/a%20b?c=d",
        headers: expect.objectContaining({
          host: "shop.test:8080",
          "x-kept": "1",
          "proxy-authorization": AUTHORIZATION,
        }),
      },
    ]);
  });

  test("gets the statuses of its target, including errors", async () => {
    const upstream = await startUpstream({ status: 503 });
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });
    expect(await ask(proxy, "http://shop.test/")).toMatchObject({ status: 503, failure: undefined });
  });

  test("fails when the proxy rejects the credentials", async () => {
    const upstream = await startUpstream({ status: 407 });
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });
    expect(await ask(proxy, "http://shop.test/")).toMatchObject({
      status: 502,
      body: "",
      failure: "proxy-credentials",
    });
  });

  test("is answered 407 only by a proxy: directly, that is the target's own status", async () => {
    const target = await startUpstream({ status: 407 });
    const proxy = closing(await startEgressProxy({ allowed: parseAllowedOrigins(target.hostPort) }));
    expect(await ask(proxy, `http://${target.hostPort}/`)).toMatchObject({ status: 407, failure: undefined });
  });
});

describe("upstream proxy: a tunnel", () => {
  test("goes through a tunnel of the proxy, and loses no early data", async () => {
    const upstream = await startUpstream({ first: "early " });
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });

    const { socket, answer } = await dig(proxy, "shop.test:443");
    socket.write("there and back");
    let received = answer;
    while (!received.endsWith("back")) received += (await once(socket, "data"))[0];

    expect(received).toBe("HTTP/1.1 200 Connection Established\r\n\r\nearly there and back");
    expect(upstream.requested).toEqual([
      {
        method: "CONNECT",
        url: "shop.test:443",
        headers: expect.objectContaining({ host: "shop.test:443", "proxy-authorization": AUTHORIZATION }),
      },
    ]);
    expect(proxy.tunnelFailure("https://shop.test/")).toBeUndefined();
  });

  test.each([
    [407, "proxy-credentials"],
    [403, "proxy-refused"],
    [502, "proxy-refused"],
    [302, "proxy-refused"],
  ])("that is answered %i fails as %s", async (tunnelStatus, failure) => {
    const upstream = await startUpstream({ tunnelStatus });
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });
    expect((await dig(proxy, "shop.test:443")).answer).toBe("HTTP/1.1 502 Refused\r\n\r\n");
    expect(proxy.tunnelFailure("https://shop.test/page")).toBe(failure);
  });

  test.each([
    ["hangs up", (socket: Socket) => void socket.once("data", () => socket.destroy())],
    ["does not speak HTTP", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH\r\n")],
    ["never ends its header", (socket: Socket) => void socket.write(`HTTP/1.1 200 Yes\r\nX: ${"x".repeat(17 * 1024)}`)],
  ])("through a proxy that %s fails as unreachable, before its timeout", async (_, serve) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { port } = closing(await startTcp(serve));
    const proxy = await egressThrough(`http://127.0.0.1:${port}`, { allow: [`127.0.0.1:${port}`] });
    expect((await dig(proxy, "shop.test:443")).answer).toBe("HTTP/1.1 502 Refused\r\n\r\n");
    expect(proxy.tunnelFailure("https://shop.test/")).toBe("proxy-unreachable");
  });

  test("through a proxy that never answers fails after 8 seconds", async () => {
    const arrived = Promise.withResolvers<unknown>();
    const { port } = closing(await startTcp((socket) => void socket.once("data", arrived.resolve)));
    const proxy = await egressThrough(`http://127.0.0.1:${port}`, { allow: [`127.0.0.1:${port}`] });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const digging = dig(proxy, "shop.test:443");
    await arrived.promise;

    vi.advanceTimersByTime(7_999);
    expect(proxy.tunnelFailure("https://shop.test/")).toBeUndefined();
    vi.advanceTimersByTime(1);

    expect((await digging).answer).toBe("HTTP/1.1 502 Refused\r\n\r\n");
    expect(proxy.tunnelFailure("https://shop.test/")).toBe("proxy-unreachable");
  });

  test("to the proxy is closed with the egress proxy, even while it is being opened", async () => {
    const arrived = Promise.withResolvers<Socket>();
    const { port } = closing(await startTcp((socket) => void socket.once("data", () => arrived.resolve(socket))));
    const proxy = await egressThrough(`http://127.0.0.1:${port}`, { allow: [`127.0.0.1:${port}`] });
    void dig(proxy, "shop.test:443");
    const atUpstream = await arrived.promise;
    const isClosed = once(atUpstream.resume(), "close").then(() => true);
    const oneTurn = () => new Promise<false>((resolve) => setImmediate(resolve, false));
    expect(await Promise.race([isClosed, oneTurn()])).toBe(false);
    proxy.close();
    expect(await isClosed).toBe(true);
  });
});

describe("upstream proxy: the proxy itself", () => {
  const both = async (proxy: EgressProxy) => {
    const { failure } = await ask(proxy, "http://shop.test/");
    await dig(proxy, "shop.test:443");
    return [failure, proxy.tunnelFailure("https://shop.test/")];
  };

  test.each([
    ["at an internal address", (port: number) => `http://127.0.0.1:${port}`],
    ["in another spelling of it", (port: number) => `http://0x7f.1:${port}`],
    ["at IPv6 loopback", (port: number) => `http://[::1]:${port}`],
    ["at a name of loopback", (port: number) => `http://localhost:${port}`],
    ["at a name that leads there", (port: number) => `http://proxy.test:${port}`],
  ])("is refused %s", async (_, url) => {
    const internal = closing(await startTrap());
    const proxy = await egressThrough(url(internal.port), { resolve: async () => ["127.0.0.1"] });
    expect(await both(proxy)).toEqual(["proxy-not-allowed", "proxy-not-allowed"]);
    expect(internal.connections).toBe(0);
  });

  test("is unreachable when it has no address or nothing listens there", async () => {
    const port = await closedPort();
    expect(await both(await egressThrough("http://nowhere.test"))).toEqual(["proxy-unreachable", "proxy-unreachable"]);
    const proxy = await egressThrough(`http://127.0.0.1:${port}`, { allow: [`127.0.0.1:${port}`] });
    expect(await both(proxy)).toEqual(["proxy-unreachable", "proxy-unreachable"]);
  });

  test("is never requested an internal address", async () => {
    const upstream = await startUpstream();
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });

    for (const host of [
      "127.0.0.1",
      "0x7f.1",
      "169.254.169.254",
      "[::1]",
      "[::ffff:10.0.0.1]",
      "localhost",
      "a.localhost.",
    ]) {
      expect(await ask(proxy, `http://${host}/`)).toMatchObject({ status: 403, failure: "refused" });
      expect((await dig(proxy, `${host}:443`)).answer).toBe("HTTP/1.1 403 Refused\r\n\r\n");
    }

    expect(upstream.requested).toEqual([]);
  });

  test("is requested public IP literals, in brackets where they have colons", async () => {
    const upstream = await startUpstream();
    const proxy = await egressThrough(upstream.url, { allow: [upstream.hostPort] });
    await ask(proxy, "http://[2606:4700::1]/");
    await dig(proxy, "[2606:4700::1]:443");
    await dig(proxy, "93.184.216.34:443");
    expect(upstream.requested.map(({ url }) => url)).toEqual([
      "http://[2606:4700::1]/",
      "[2606:4700::1]:443",
      "93.184.216.34:443",
    ]);
  });

  test("alone gets its credentials: not bypassed hosts, and not what is reported", async () => {
    const target = closing(await startSite());
    const upstream = await startUpstream({ status: 407, tunnelStatus: 407 });
    const allow = [upstream.hostPort, target.hostPort];
    const proxy = await egressThrough(upstream.url, { allow, bypass: ["127.0.0.1"] });

    const direct = await ask(proxy, `${target.origin}/box`);
    const refused = await ask(proxy, "http://shop.test/");

    expect(direct.status).toBe(200);
    expect(target.requests[0]?.headers).not.toHaveProperty("proxy-authorization");
    expect(JSON.stringify([direct, refused])).not.toContain(AUTHORIZATION.slice("Basic ".length));
  });
});

describe("upstream proxy: a bypassed host", () => {
  test("is reached directly, with the usual checks", async () => {
    const [target, internal] = [closing(await startSite()), closing(await startTrap())];
    const upstream = await startUpstream();
    const proxy = await egressThrough(upstream.url, {
      allow: [upstream.hostPort, target.hostPort],
      bypass: ["direct.test"],
      resolve: async () => ["127.0.0.1"],
    });
    const { port } = new URL(target.origin);

    expect(await ask(proxy, `http://direct.test:${port}/box`)).toMatchObject({ status: 200 });
    expect((await dig(proxy, `direct.test:${port}`)).answer).toMatch(/ 200 /);
    expect(await ask(proxy, `http://direct.test:${internal.port}/`)).toMatchObject({ status: 403, failure: "refused" });

    expect([upstream.requested, internal.connections]).toEqual([[], 0]);
  });

  test.each([
    ["example.com", "example.com", 443, true],
    ["Example.com", "example.com", 443, true],
    ["example.com", "www.example.com", 443, false],
    ["example.com", "badexample.com", 443, false],
    ["*.example.com", "www.example.com", 443, true],
    ["*.example.com", "a.b.example.com", 443, true],
    ["*.example.com", "example.com", 443, false],
    ["*.example.com", "badexample.com", 443, false],
    [".example.com", "www.example.com", 80, true],
    [".example.com", "example.com", 80, false],
    ["example.com:8080", "example.com", 8080, true],
    ["example.com:8080", "example.com", 443, false],
    ["*.example.com:8080", "www.example.com", 8080, true],
    ["*.example.com:8080", "www.example.com", 80, false],
    ["[2606:4700::1]", "2606:4700::1", 443, true],
    ["[2606:4700::1]:443", "2606:4700::1", 443, true],
    ["[2606:4700::1]:443", "2606:4700::1", 80, false],
    ["2606:4700::1", "2606:4700::1", 443, true],
    ["*", "example.com", 443, false],
    ["", "example.com", 443, false],
  ])("is matched: '%s' means %s at port %i: %s", (rule, host, port, expected) => {
    expect(isBypassed(["elsewhere.test", rule], host, port)).toBe(expected);
  });
});

describe("upstream proxy: a page", () => {
  async function pageThrough(upstream: { url: string; hostPort: string }) {
    const files = await chromiumFiles();
    const allowed = parseAllowedOrigins(upstream.hostPort);
    const session = closing(await launchBrowser({ files, allowed, limits: testLimits, resolve: noNames }));
    session.proxy.routeThrough(upstreamProxy(upstream.url));
    return { page: await session.page(), proxy: session.proxy };
  }

  test("is loaded through the proxy", async () => {
    const upstream = await startUpstream();
    const { page } = await pageThrough(upstream);
    await page.goto("http://shop.test/page");
    expect(await page.evaluate("document.body.innerText")).toBe("from the proxy");
    expect(upstream.requested[0]).toMatchObject({ method: "GET", url: "http://shop.test/page" });
  });

  test("that the proxy cannot load has the reason, with TLS and without", async () => {
    const { page, proxy } = await pageThrough(await startUpstream({ status: 407, tunnelStatus: 407 }));
    const answer = await page.goto("http://shop.test/").catch(() => undefined);
    await expect(page.goto("https://shop.test/")).rejects.toThrow("net::ERR_TUNNEL_CONNECTION_FAILED");
    expect(answer && proxy.requestFailure(answer.url(), answer.status())).toBe("proxy-credentials");
    expect(proxy.tunnelFailure("https://shop.test/")).toBe("proxy-credentials");
  });
});

describe("upstream proxy: its URL", () => {
  test.each([
    ["http://proxy.test", { host: "proxy.test", port: 80, bypass: [] }],
    ["http://proxy.test:3128/", { host: "proxy.test", port: 3128, bypass: [] }],
    ["http://[2606:4700::1]:3128", { host: "2606:4700::1", port: 3128, bypass: [] }],
    [`http://${ENCODED}@proxy.test:3128`, { host: "proxy.test", port: 3128, authorization: AUTHORIZATION, bypass: [] }],
    [
      "http://100%:x@proxy.test",
      { host: "proxy.test", port: 80, authorization: `Basic ${btoa("100%:x")}`, bypass: [] },
    ],
  ])("%s is parsed", (url, expected) => {
    expect(upstreamProxy(url)).toEqual(expected);
  });
});
