// The ports of a service on one machine: a page in a capture reaches neither its mail, metrics, engines, and API, nor the SMTP server and
// the reverse proxy next to it. An origin that the operator allows shows that the same page reaches what it may.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";
import { startTrap, type Trap } from "../fixtures/site.ts";
import { npmStart, type Started } from "../support/npm-start.ts";

let folder: string;
/** Stand for servers next to the service, and count what arrives. */
let proxy: Trap;
let smtp: Trap;
let allowed: Trap;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "own-ports-test-"));
  [proxy, smtp, allowed] = await Promise.all([startTrap(), startTrap(), startTrap()]);
});
afterEach(async () => {
  await Promise.all([proxy, smtp, allowed].map((trap) => trap.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  const address = await listen(server);
  await stopListening(server);
  return Number(new URL(`http://${address}`).port);
}

const BLOCKED = "blocked: address not allowed";

/** A page that asks for addresses by elements and by a script. */
const pageOf = (urls: readonly string[]) =>
  `<!doctype html><p>Page${urls
    .map(
      (url) =>
        `<img src="${url}?image"><iframe src="${url}?frame"></iframe><link rel="stylesheet" href="${url}?style">`,
    )
    .join(
      "",
    )}<script>for (const url of ${JSON.stringify(urls)}) fetch(url + "?fetch", { mode: "no-cors" }).catch(() => {});</script>`;

async function capture({ baseUrl, key }: Started, options: Record<string, string>) {
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}` },
    body: new URLSearchParams({ format: "text", response_type: "json", cache: "false", ...options }),
  });
  return { status: response.status, body: await response.json() };
}

/** Why each request of the page to an address failed; undefined for one that did not. */
async function embed(service: Started, urls: readonly string[]): Promise<Record<string, (string | null)[]>> {
  const { status, body } = await capture(service, { html: pageOf(urls), metadata_requests: "true", delay: "1" });
  expect(status).toBe(200);
  const list: { url: string; failed?: string | null }[] = body.metadata.requests.list;
  const failuresOf = (url: string) =>
    list.filter((each) => each.url.startsWith(`${url}?`)).map(({ failed = null }) => failed);
  return Object.fromEntries(urls.map((url) => [url, failuresOf(url)]));
}

async function start(allow: readonly string[], metricsPort: number, mailPort: number): Promise<Started> {
  return npmStart({
    DATA_DIR: join(folder, "data"),
    METRICS_PORT: String(metricsPort), // without a token, so that a request that arrives is answered
    MAIL_PORT: String(mailPort),
    SIGN_UP: "open",
    CAPTURE_ALLOW_ORIGINS: allow.join(","),
  });
}

test("own ports: a page reaches neither mail, metrics, engines, API, SMTP server, nor reverse proxy, and it reaches an allowed origin", async () => {
  const [metricsPort, mailPort] = [await freePort(), await freePort()];
  const service = await start([`127.0.0.1:${allowed.port}`], metricsPort, mailPort);
  try {
    const { endpoints } = JSON.parse(readFileSync(join(folder, "data/service.json"), "utf8"));
    const own = [
      `http://127.0.0.1:${metricsPort}/metrics`,
      `${service.baseUrl}/health`,
      ...Object.values<string>(endpoints).map((each) => `${each}/`),
    ];
    const others = [
      `http://127.0.0.1:${smtp.port}/`,
      `http://127.0.0.1:${proxy.port}/`,
      `https://127.0.0.1:${proxy.port}/`,
    ];
    const closed = [...new Set([...own, ...others])];
    expect(closed).toContain(`http://127.0.0.1:${mailPort}/`);
    expect(closed.length).toBeGreaterThanOrEqual(10);
    const failures = await embed(service, [...closed, `http://127.0.0.1:${allowed.port}/`]);
    for (const url of closed) {
      expect(failures[url]?.length, url).toBeGreaterThanOrEqual(4);
      expect(new Set(failures[url]), url).toEqual(new Set([BLOCKED]));
      expect((await capture(service, { url })).body, url).toMatchObject({ code: "URL_NOT_ALLOWED" });
    }
    expect(failures[`http://127.0.0.1:${allowed.port}/`]).not.toContain(BLOCKED);
    expect(allowed.paths.toSorted()).toEqual(["/?fetch", "/?frame", "/?image", "/?style"]);
    expect([smtp.connections, proxy.connections]).toEqual([0, 0]);
  } finally {
    await service.end("SIGTERM");
  }
});

test("own ports: mail, metrics, SMTP server, and reverse proxy are reached when the operator allows them, so the page does try", async () => {
  const [metricsPort, mailPort] = [await freePort(), await freePort()];
  const ports = [metricsPort, mailPort, smtp.port, proxy.port];
  const service = await start(
    ports.map((port) => `127.0.0.1:${port}`),
    metricsPort,
    mailPort,
  );
  try {
    const failures = await embed(
      service,
      ports.map((port) => `http://127.0.0.1:${port}/`),
    );
    expect(Object.values(failures).flat()).not.toContain(BLOCKED);
    for (const trap of [smtp, proxy])
      expect(trap.paths.toSorted()).toEqual(["/?fetch", "/?frame", "/?image", "/?style"]);
    const captured = await capture(service, { url: `http://127.0.0.1:${metricsPort}/metrics` });
    expect(captured.status).toBe(200);
  } finally {
    await service.end("SIGTERM");
  }
});
