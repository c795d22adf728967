// The settings and the server of `GET /metrics`.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { LocalServiceError } from "../../../../lib/tools/local/local-service-error.ts";
import { startMetricsServer } from "../../../../lib/tools/local/metrics/metrics-server.ts";
import { readMetricsSettings } from "../../../../lib/tools/local/metrics/metrics-settings.ts";

const TOKEN = "a-token-of-a-test-0123456789";

/** Starts the server on a free port; resolves to its address. */
async function serve(
  token: string | undefined,
  read: () => Promise<string | undefined> = async () => "some_metric 1\n",
) {
  const server = await startMetricsServer(
    { host: "127.0.0.1", port: 0, token },
    { read, contentTypes: ["text/plain"] },
  );
  onTestFinished(() => server.close());
  return server.url;
}

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;

test("metrics: are read with the token", async () => {
  const response = await fetch(await serve(TOKEN), { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect([response.status, await response.text()]).toEqual([200, "some_metric 1\n"]);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("metrics: each request without the token gets the same 401, which says nothing else", async () => {
  const url = await serve(TOKEN, () => Promise.reject(new Error("must not be read")));
  const other = new URL("/other", url).href;
  const answers = await Promise.all([
    fetch(url),
    fetch(url, { headers: { Authorization: "Bearer wrong" } }),
    fetch(url, { headers: { Authorization: `Bearer ${TOKEN}x` } }),
    fetch(url, { headers: { Authorization: `Bearer ${TOKEN.slice(0, -1)}` } }),
    fetch(url, { headers: { Authorization: `Basic ${TOKEN}` } }),
    fetch(url, { headers: { Authorization: TOKEN } }),
    fetch(`${url}?access_token=${TOKEN}`),
    fetch(url, { method: "POST" }),
    fetch(other),
  ]);
  for (const answer of answers) {
    expect([answer.status, await answer.text(), answer.headers.get("www-authenticate")]).toEqual([401, "", "Bearer"]);
  }
});

test("metrics: no other path or method is answered", async () => {
  const url = await serve(undefined);
  expect(await statusOf(`${url}?x=1`)).toBe(200);
  expect(await statusOf(new URL("/", url).href)).toBe(404);
  expect(await statusOf(url, { method: "POST", body: "x" })).toBe(405);
});

test("metrics: while the service starts, and when they can't be read, there is no text", async () => {
  expect(await statusOf(await serve(undefined, async () => undefined))).toBe(503);
  expect(await statusOf(await serve(undefined, () => Promise.reject(new Error("broken"))))).toBe(500);
});

test("metrics: without a token, a Host that is a name is refused (DNS rebinding)", async () => {
  const sent = request(await serve(undefined), { headers: { Host: "metrics.example" } }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(421);
  expect(await text(response)).not.toContain("some_metric");
});

test("metrics: a port in use is one sentence", async () => {
  const { port } = new URL(await serve(undefined));
  const second = startMetricsServer(
    { host: "127.0.0.1", port: Number(port), token: undefined },
    { read: async () => "", contentTypes: ["text/plain"] },
  );
  await expect(second).rejects.toThrow(`The address 127.0.0.1:${port} cannot be used`);
});

test("metrics: are off without METRICS_PORT", () => {
  expect(readMetricsSettings({ METRICS_TOKEN: TOKEN, METRICS_HOST: "0.0.0.0" })).toBeUndefined();
});

test.each([
  [
    "loopback by default, without a token",
    { METRICS_PORT: "9464" },
    { host: "127.0.0.1", port: 9464, token: undefined },
  ],
  ["IPv6 loopback", { METRICS_PORT: "0", METRICS_HOST: "::1" }, { host: "::1", port: 0, token: undefined }],
  [
    "all addresses with a token",
    { METRICS_PORT: "1", METRICS_HOST: "0.0.0.0", METRICS_TOKEN: TOKEN },
    { host: "0.0.0.0", port: 1, token: TOKEN },
  ],
])("metrics: the settings allow %s", (_, environment, settings) => {
  expect(readMetricsSettings(environment)).toEqual(settings);
});

test.each([
  ["a port that is none", { METRICS_PORT: "http" }, "METRICS_PORT must be a number"],
  ["all addresses without a token", { METRICS_PORT: "1", METRICS_HOST: "0.0.0.0" }, "Set METRICS_TOKEN"],
  ["another address without a token", { METRICS_PORT: "1", METRICS_HOST: "10.0.0.1" }, "Set METRICS_TOKEN"],
  [
    "a name that only starts like loopback",
    { METRICS_PORT: "1", METRICS_HOST: "127.0.0.1.example" },
    "Set METRICS_TOKEN",
  ],
  ["an empty address, which is all of them", { METRICS_PORT: "1", METRICS_HOST: "" }, "Set METRICS_TOKEN"],
  ["a short token", { METRICS_PORT: "1", METRICS_TOKEN: "secret-123" }, "METRICS_TOKEN must have at least 16"],
  [
    "a token that no header can have",
    { METRICS_PORT: "1", METRICS_TOKEN: "words with spaces in it" },
    "METRICS_TOKEN must",
  ],
])(
  "metrics: the settings refuse %s, and do not repeat the token",
  (_, environment: Record<string, string>, message) => {
    let error: unknown;
    try {
      readMetricsSettings(environment);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(LocalServiceError);
    expect(String(error)).toContain(message);
    if (environment["METRICS_TOKEN"]) expect(String(error)).not.toContain(environment["METRICS_TOKEN"]);
  },
);
