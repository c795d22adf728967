// Captures without an API key, as the landing page requests them.
import { expect, inject, test } from "vitest";
import type { KeylessEvent } from "../../lib/contract/keyless-capture.ts";
import { slowTest } from "../support/slow-run.ts";

const { baseUrl, site } = inject("service");
const fromOwnPage = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };

const send = (url: string, headers: Readonly<Record<string, string>> = fromOwnPage) =>
  fetch(`${baseUrl}/try`, { method: "POST", headers, body: JSON.stringify({ url }) });

async function capture(url: string): Promise<KeylessEvent[]> {
  const response = await send(url);
  expect(response.status).toBe(200);
  return (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("keyless: streams the phases and a picture of 640 by 400 pixels, which answers the next request", async () => {
  const response = await send(`${site}/cards`);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
  });
  for (const absent of ["set-cookie", "access-control-allow-origin"]) expect(response.headers.has(absent)).toBe(false);
  const events: KeylessEvent[] = (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const phases = events.flatMap((event) => ("phase" in event ? [event.phase] : []));
  expect(phases).toEqual(expect.arrayContaining(["browser", "navigate", "settle", "capture", "encode"]));
  const [last] = events.slice(-1);
  if (!last || !("picture" in last)) throw new Error(JSON.stringify(last));
  const { default: sharp } = await import("sharp");
  const { format, width, height } = await sharp(Buffer.from(last.picture.data, "base64")).metadata();
  expect({ format, width, height, cached: last.picture.from_cache }).toEqual({
    format: "webp",
    width: 640,
    height: 400,
    cached: false,
  });
  expect(await capture(`${site}/cards`)).toEqual([
    { picture: { ...last.picture, from_cache: true, total_ms: expect.any(Number) } },
  ]);
});

test.each([
  ["a private address", "http://10.0.0.1/"],
  ["a redirect to a private address", `${site}/redirect?to=${encodeURIComponent("http://169.254.169.254/latest")}`],
  ["a file", "file:///etc/passwd"],
])("keyless: refuses %s", async (_, url) => {
  const response = await send(url);
  expect(await response.text()).toMatch(/"code":"(URL_NOT_ALLOWED|VALIDATION_ERROR)"/);
});

test.each([
  ["another site", { ...fromOwnPage, "Sec-Fetch-Site": "cross-site" }, 403],
  ["another origin", { "Content-Type": "application/json", Origin: "https://evil.example" }, 403],
  ["no page", { "Content-Type": "application/json" }, 403],
  ["a form", { ...fromOwnPage, "Content-Type": "text/plain" }, 415],
])("keyless: refuses a request of %s", async (_, headers, status) => {
  expect((await send(`${site}/cards`, headers)).status).toBe(status);
});

test("keyless: has no address to read, and leads a browser that asks for one to the playground", async () => {
  expect((await fetch(`${baseUrl}/try`, { redirect: "manual" })).headers.get("location")).toBe("/playground");
  expect((await fetch(`${baseUrl}/try/1`)).status).toBe(404);
  expect((await fetch(`${baseUrl}/try`, { method: "PUT" })).status).toBe(405);
});

slowTest("keyless: ends a page that doesn't answer after 15 seconds", async () => {
  expect((await capture(`${site}/never-answers`)).at(-1)).toMatchObject({ error: { code: "CAPTURE_TIMEOUT" } });
});

test("keyless: a forged X-Forwarded-For makes no other network", async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 12; index++) {
    const response = await send("http://10.0.0.1/", { ...fromOwnPage, "X-Forwarded-For": `198.51.${index}.1` });
    statuses.push(response.status);
    await response.text();
  }
  expect(statuses).toContain(200);
  expect(statuses.slice(-2)).toEqual([429, 429]);
});
