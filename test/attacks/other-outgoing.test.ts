// SSRF beyond the page: options with URLs, webhooks, customer storage and proxies; and which modules can open
// connections.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../lib/engine/browser/browser.ts";
import { isRefusedUnresolved } from "../../lib/engine/egress/egress-dial.ts";
import { isBadPort, parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { type EgressProxy, startEgressProxy } from "../../lib/engine/egress/egress-proxy.ts";
import type { Resolve } from "../../lib/engine/egress/name-resolver.ts";
import { upstreamProxy } from "../../lib/engine/egress/upstream-proxy.ts";
import { putObject, requireStorageAddress, type Upload } from "../../lib/service/customer-storage/put-client.ts";
import { requireWebhookAddress } from "../../lib/service/webhooks/webhook-address.ts";
import { sendWebhook } from "../../lib/service/webhooks/webhook-client.ts";
import { internalNames, OPEN_ADDRESS, startPortOfMany } from "../fixtures/internal-network.ts";
import { startTcp, startTrap, type Trap } from "../fixtures/site.ts";
import { apiErrorOf } from "../support/builders.ts";
import { captureWith, chromiumFiles, testLimits } from "../support/chromium.ts";
import { closing } from "../support/closing.ts";
import { ask, dig, say } from "../support/proxy-client.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

const nothing = parseAllowedOrigins("");
const PUBLIC = "93.184.216.34"; // never dialled: its port is refused, or it is one of two answers

async function serverThat(answers: RequestListener): Promise<{ hostPort: string; origin: string }> {
  const server = createServer(answers);
  closing({ close: () => server.close() && server.closeAllConnections() });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { hostPort, origin: `http://${hostPort}` };
}

/** Addresses of an internal server and of an allowed one, at a path of this name. */
type Addresses = (name: string) => readonly [internal: string, allowed: string];

describe.concurrent("other outgoing connections: an option with a URL reaches an allowed server and no internal one, of", () => {
  const small = { viewport_width: 200, viewport_height: 150 };
  const fetching = (to: string) => `fetch('${to}', { mode: 'no-cors' }).catch(() => 0)`;
  const images = (addresses: readonly string[]) => addresses.map((to) => `<img src="${to}">`).join("");
  const layers = (addresses: readonly string[]) => addresses.map((to) => `url("${to}")`).join(", ");

  /** A capture, and the names of the attempts in it: each is made to the internal server first, and then to the allowed one. */
  const captures: [string, readonly string[], (both: Addresses) => object][] = [
    [
      "HTML",
      ["styles-with-a-picture", "scripts", "click"],
      (both) => ({
        ...small,
        html: `<button onclick="${both("click").map(fetching).join("; ")}">x</button>`,
        styles: [`body { background: ${layers(both("styles-with-a-picture"))} }`],
        scripts: both("scripts").map((to) => `await ${fetching(to)}`),
        click: "button",
      }),
    ],
    [
      "hovering",
      ["hover"],
      (both) => ({
        ...small,
        html: `<b onmouseover="${fetching(both("hover")[0])}; ${atOnce(both("hover")[1])}">x</b>`,
        hover: "b",
      }),
    ],
    [
      "Markdown",
      ["picture", "html", "styles"],
      (both) => ({
        ...small,
        markdown: `${both("picture")
          .map((to) => `![x](${to})`)
          .join(" ")}\n\n${images(both("html"))}`,
        markdown_css: `body { background: ${layers(both("styles"))} }`,
      }),
    ],
    [
      "a page that is filmed",
      ["picture"],
      (both) => ({ ...small, html: images(both("picture")), format: "gif", video_duration: 1, video_fps: 2 }),
    ],
  ];

  /** An internal server, an allowed one, and captures that allow it, which return their warnings or their error. */
  async function startServers() {
    const [allowed, internal] = [await startTrap(), await startTrap()];
    onTestFinished(async () => void (await Promise.all([allowed.close(), internal.close()])));
    const to = (trap: Trap) => `http://127.0.0.1:${trap.port}/`;
    const capture = (options: object) =>
      captureWith({ timeout: 60, ...options }, { allow: [`127.0.0.1:${allowed.port}`], isTimedFromLaunch: true }).then(
        ({ warnings }) => warnings,
        (error: Error) => [error],
      );
    return { allowed, internal, addresses: [to(internal), to(allowed)] as const, capture };
  }

  sampled(test, 2).each(captures)("%s", async (_, names, optionsFor) => {
    const { allowed, internal, addresses, capture } = await startServers();
    const problems = await capture(optionsFor((name) => [`${addresses[0]}${name}`, `${addresses[1]}${name}`]));
    expect(
      names.filter((name) => allowed.paths.includes(`/${name}`)),
      problems.join(),
    ).toEqual(names);
    expect(internal.connections).toBe(0);
  });

  // A capture has one base address, and fails with the first style sheet that does not load.
  slowTest("styles by address, styles that import, a base address, and a printed page", async () => {
    const { allowed, internal, addresses, capture } = await startServers();
    const text = { ...small, format: "text" };
    for (const address of addresses) {
      await capture({ ...text, html: "x", styles: [`${address}styles`] });
      await capture({ ...text, html: "x", styles: [`@import "${address}imported";`] });
      await capture({ ...text, html: `<img src="below-the-base">`, base_url: address });
      await capture({
        format: "pdf",
        html: `<style>@media print { body { background: url("${address}printed") }
          @font-face { font-family: x; src: url("${address}font") } p { font-family: x } }</style><p>text`,
      });
    }
    expect(allowed.paths).toEqual(
      expect.arrayContaining(["/styles", "/imported", "/below-the-base", "/printed", "/font"]),
    );
    expect(internal.connections).toBe(0);
  });
});

/** A script that asks and waits for the answer, so that the picture is taken after it. */
function atOnce(to: string): string {
  return `try { const xhr = new XMLHttpRequest(); xhr.open('GET', '${to}', false); xhr.send() } catch {}`;
}

describe("other outgoing connections: a port that browsers block", () => {
  test("is one that this Chromium blocks, or that the Fetch standard has added since", async () => {
    const session = await launchBrowser({ files: await chromiumFiles(), allowed: nothing, limits: testLimits });
    closing(session);
    const ports = Array.from({ length: 11_000 }, (_, port) => port).filter(
      (port) => port > 0 && [port - 1, port, port + 1].some(isBadPort),
    );
    const page = await session.page();
    const refused = await page.evaluate(`Promise.all(${JSON.stringify(ports)}.map((port) =>
      fetch("http://127.0.0.1:" + port + "/", { mode: "no-cors" }).then(() => [], () => [port]))).then((ports) => ports.flat())`);
    expect(refused).toEqual(ports.filter((port) => isBadPort(port) && ![4190, 6679].includes(port)));
  });

  const bad = 6667;
  const resolve: Resolve = async () => [PUBLIC];

  test("is rejected for a request and for a CONNECT tunnel (TURN)", async () => {
    const proxy = closing(await startEgressProxy({ allowed: nothing, resolve }));
    const answer = await ask(proxy, `http://chat.test:${bad}/`);
    expect(answer.failure).toBe("refused");
    expect((await dig(proxy, `chat.test:${bad}`)).answer).toBe("HTTP/1.1 403 Refused\r\n\r\n");
    expect((await dig(proxy, `${PUBLIC}:25`)).answer).toBe("HTTP/1.1 403 Refused\r\n\r\n");
  });

  test("is rejected for a customer's proxy and through it", async () => {
    const proxy = closing(await startEgressProxy({ allowed: nothing, resolve }));
    proxy.routeThrough(upstreamProxy("http://proxy.test:25"));
    expect((await ask(proxy, "http://shop.test/")).failure).toBe("proxy-not-allowed");
    const upstream = await serverThat((_, answer) => answer.end("from the proxy"));
    const through = closing(await startEgressProxy({ allowed: parseAllowedOrigins(upstream.hostPort), resolve }));
    through.routeThrough(upstreamProxy(upstream.origin));
    expect((await ask(through, "http://mail.test/")).body).toBe("from the proxy");
    expect((await ask(through, `http://chat.test:${bad}/`)).failure).toBe("refused");
    expect((await dig(through, "mail.test:25")).answer).toBe("HTTP/1.1 403 Refused\r\n\r\n");
  });

  test("is rejected for a webhook, when requested and when delivered", async () => {
    const url = "https://mail.test:25/hook";
    expect(apiErrorOf(() => requireWebhookAddress(url, nothing))).toMatchObject({
      status: 422,
      details: { webhook_url: ["is an address that webhooks may not be sent to"] },
    });
    expect(await post(url, resolve)).toMatchObject({
      http_status_code: null,
      error: expect.stringContaining("not allowed"),
    });
  });

  test("is rejected for customer storage, when requested and when uploaded", async () => {
    const endpoint = "https://storage.test:25";
    expect(apiErrorOf(() => requireStorageAddress({ endpoint }, nothing))).toMatchObject({ status: 403 });
    await expect(put(endpoint, nothing, resolve)).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
  });

  test("is allowed when the operator allows its origin", async () => {
    expect(isRefusedUnresolved("127.0.0.1", bad, parseAllowedOrigins(`127.0.0.1:${bad}`))).toBe(false);
  });
});

describe("other outgoing connections: a redirect into the internal network is not followed", () => {
  test.each([301, 302, 303, 307, 308])("by a webhook, with %i", async (status) => {
    const internal = closing(await startTrap());
    const location = `http://127.0.0.1:${internal.port}/`;
    const receiver = await serverThat((_, answer) =>
      answer.writeHead(status, { location, refresh: `0;url=${location}` }).end(),
    );
    const delivery = await post(`${receiver.origin}/hook`, undefined, receiver.hostPort);
    expect([delivery.http_status_code, internal.connections]).toEqual([status, 0]);
  });

  test.each([
    [301, "PermanentRedirect"],
    [307, "TemporaryRedirect"],
    [400, "AuthorizationHeaderMalformed"],
  ])("by customer storage, with %i and %s", async (status, code) => {
    const internal = closing(await startTrap());
    const host = `127.0.0.1:${internal.port}`;
    const storage = await serverThat((incoming, answer) => {
      incoming.resume();
      const headers = { location: `http://${host}/my-bucket/x.png`, "x-amz-bucket-region": "eu-west-1" };
      answer
        .writeHead(status, headers)
        .end(`<Error><Code>${code}</Code><Endpoint>${host}</Endpoint><Region>eu-west-1</Region></Error>`);
    });
    expect(await put(storage.origin, parseAllowedOrigins(storage.hostPort))).toMatchObject({
      error: { code: "STORAGE_FAILED" },
    });
    expect(internal.connections).toBe(0);
  });

  sampled(test, 5).each([301, 302, 303, 307, 308])("by a customer's proxy, with %i", async (status) => {
    const internal = closing(await startTrap());
    const requested: (string | undefined)[] = [];
    const upstream = await serverThat((incoming, answer) => {
      requested.push(incoming.url);
      answer.writeHead(status, { location: `http://127.0.0.1:${internal.port}/` }).end();
    });
    const options = { url: "http://shop.test/", proxy: upstream.origin };
    const outcome = await captureWith(options, { allow: [upstream.hostPort] }).catch(({ code }) => code);
    expect(outcome).toBe("URL_NOT_ALLOWED");
    expect([...new Set(requested)]).toEqual(["http://shop.test/"]);
    expect(internal.connections).toBe(0);
  });
});

describe("other outgoing connections: a name whose DNS answer changes", () => {
  test("is resolved once for a webhook, and again for the next attempt", async () => {
    const port = closing(await startPortOfMany(["127.0.0.1", OPEN_ADDRESS]));
    const resolve = internalNames();
    const url = `http://rebinding.test:${port.port}/hook`;
    const allowed = `${OPEN_ADDRESS}:${port.port}`;
    expect(await post(url, resolve, allowed)).toMatchObject({ http_status_code: 200 });
    expect(await post(url, resolve, allowed)).toMatchObject({ error: expect.stringContaining("not allowed") });
    expect([port.paths(OPEN_ADDRESS), port.paths("127.0.0.1")]).toEqual([["/hook"], []]);
  });

  test("is resolved once for customer storage, including retries", async () => {
    const port = closing(await startPortOfMany(["127.0.0.1", OPEN_ADDRESS]));
    const allowed = parseAllowedOrigins(`${OPEN_ADDRESS}:${port.port}`);
    const resolve = internalNames();
    await put(`http://rebinding.test:${port.port}`, allowed, resolve);
    await expect(put(`http://rebinding.test:${port.port}`, allowed, resolve)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect([port.paths(OPEN_ADDRESS).length, port.paths("127.0.0.1")]).toEqual([1, []]);
  });

  test("is resolved once for a customer's proxy", async () => {
    const port = closing(await startPortOfMany(["127.0.0.1", OPEN_ADDRESS]));
    const allowed = parseAllowedOrigins(`${OPEN_ADDRESS}:${port.port}`);
    const proxy = closing(await startEgressProxy({ allowed, resolve: internalNames() }));
    proxy.routeThrough(upstreamProxy(`http://rebinding.test:${port.port}`));
    for (const path of ["1", "2", "3"])
      expect(await ask(proxy, `http://shop.test/${path}`)).toMatchObject({ body: "ok" });
    expect(port.paths("127.0.0.1")).toEqual([]);
  });
});

describe("other outgoing connections: a customer's proxy that lies", () => {
  /** The proxy of a capture whose caller's proxy does this with each connection, once it has been requested. */
  async function through(answer: (socket: Socket) => unknown): Promise<EgressProxy> {
    const { port } = closing(await startTcp((socket) => void socket.once("data", () => answer(socket))));
    const proxy = closing(await startEgressProxy({ allowed: parseAllowedOrigins(`127.0.0.1:${port}`) }));
    proxy.routeThrough(upstreamProxy(`http://127.0.0.1:${port}`));
    return proxy;
  }

  test.each([
    ["refuses and goes on", "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 Yes\r\n\r\n"],
    ["redirects", "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n"],
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
    ["says two lengths", "HTTP/1.1 200 Yes\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    ["folds a line", "HTTP/1.1 200 Yes\r\nX: 1\r\n\x00: 2\r\n\r\n"],
    ["speaks no HTTP", "220 mail.test ESMTP\r\n"],
    ["never ends its header", `HTTP/1.1 200 Yes\r\n${"X: 1\r\n".repeat(10_000)}`],
    ["has one header without end", `HTTP/1.1 200 Yes\r\nX: ${"x".repeat(1_000_000)}`],
  ])("opens no tunnel when it %s", async (_, words) => {
    const proxy = await through((socket) => socket.end(words));
    expect((await dig(proxy, "shop.test:443")).answer).toBe("HTTP/1.1 502 Refused\r\n\r\n");
  });

  test("cannot send a second response: what follows the first belongs to the tunnel", async () => {
    const smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    const proxy = await through((socket) => socket.end(`HTTP/1.1 200 Yes\r\nContent-Length: 99\r\n\r\n${smuggled}`));
    const socket = await say(proxy, "CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n");
    expect(await text(socket)).toBe(`HTTP/1.1 200 Connection Established\r\n\r\n${smuggled}`);
  });

  test.each([
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
    ["speaks no HTTP", "220 mail.test ESMTP\r\n"],
    ["never ends its header", `HTTP/1.1 200 Yes\r\n${"X: 1\r\n".repeat(100_000)}`],
    ["says two lengths", "HTTP/1.1 200 Yes\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "says a length and chunks",
      "HTTP/1.1 200 Yes\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
  ])("answers no request when it %s", async (_, words) => {
    const proxy = await through((socket) => socket.end(words));
    const answer = await ask(proxy, "http://shop.test/");
    expect([answer.status, answer.failure]).toEqual([502, "proxy-unreachable"]);
  });

  test("cannot pretend that an error was the capture's own", async () => {
    const proxy = await through((socket) =>
      socket.end("HTTP/1.1 200 Yes\r\nX-Egress-Failure: x refused\r\nContent-Length: 0\r\n\r\n"),
    );
    expect((await ask(proxy, "http://shop.test/")).failure).toBeUndefined();
  });

  test("returns one response per request, regardless of further bytes", async () => {
    const two = "HTTP/1.1 200 Yes\r\nContent-Length: 3\r\n\r\none".concat(
      "HTTP/1.1 200 Yes\r\nContent-Length: 3\r\n\r\ntwo",
    );
    const proxy = await through((socket) => socket.write(two));
    expect(await ask(proxy, "http://shop.test/1")).toMatchObject({ body: "one" });
    expect(await ask(proxy, "http://shop.test/2")).toMatchObject({ body: "one" }); // requested again, on another connection
  });
});

const PARSES_ADDRESSES = /import \{ isIP(v6)? \} from "node:net";/;

/** Any other module that could open a connection would bypass the check of the address. */
test("other outgoing connections: only these modules open connections, and all dial checked addresses", () => {
  const root = join(import.meta.dirname, "../..");
  const makesConnections =
    /from "node:(net|tls|http2|dgram|dns|dns\/promises|inspector)"|from "(undici|ws|axios)"|(?<!handler\.)\bfetch\(|import \{[^}]*\b(request|get|Agent)\b[^}]*\} from "node:https?"/;
  const modules = ["lib", "functions"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => !/^lib\/(infra|tools\/(local|measure|pictures|stress)|site\/web)\//.test(path)) // run on developers' machines and in browsers
    .filter((path) => !path.startsWith("lib/site/samples/")) // writes the requests that callers run
    .filter((path) => makesConnections.test(readFileSync(join(root, path), "utf8").replace(PARSES_ADDRESSES, "")));
  // The MCP server calls its own API, at the address of its environment; the renderer S3, at the addresses of its call; the operator's
  // checks the service that the operator names.
  expect(modules.filter((path) => !path.startsWith("lib/engine/egress/")).toSorted()).toEqual([
    "lib/service/aws/clients/fresh-agent.ts", // for the SDK's clients, which call AWS
    "lib/service/customer-storage/continue-handler.ts", // by agents that dial checked addresses
    "lib/service/health/api-canary.ts", // the service itself, at the address of its environment
    "lib/service/mcp/api-client.ts",
    "lib/service/platform/trace.ts", // to the daemon that Lambda's own environment names
    "lib/service/rendering/serve-pictures.ts", // the signed link of a result, which its call names
    "lib/service/rendering/transfer-parts.ts",
    "lib/service/webhooks/webhook-client.ts",
    "lib/tools/operate/doctor/service-checks.ts",
    "lib/tools/operate/lists/npm-registry.ts", // the registry that the operator names
    "lib/tools/operate/smoke/smoke-client.ts",
  ]);
  expect(readFileSync(join(root, "lib/service/webhooks/webhook-client.ts"), "utf8")).toContain(
    "createConnection: () => connection",
  );
});

function post(url: string, resolve?: Resolve, allowed = "") {
  const message = { headers: { "Content-Type": "application/json" }, body: "{}" };
  return sendWebhook(url, message, { allowed: parseAllowedOrigins(allowed), ...(resolve && { resolve }) });
}

function put(endpoint: string, allowed: ReadonlySet<string>, resolve?: Resolve): Promise<Upload> {
  const access = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "s3cr3t" };
  const rest = { bucket: "my-bucket", path: "x", isPublic: false, storageClass: undefined };
  const picture = { body: Buffer.from("x"), format: "png", mimeType: "image/png", disposition: "inline" } as const;
  const way = { allowed, timeoutMs: 5_000, ...(resolve && { resolve }) };
  return putObject({ endpoint, region: "us-east-1", access, ...rest }, picture, way);
}
