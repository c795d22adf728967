// Captures without an API key, as the landing page requests them.
import { beforeAll, expect, inject, test } from "vitest";
import type { KeylessEvent } from "../../lib/contract/keyless-capture.ts";
import { storePicture } from "../../lib/service/keyless/picture-store.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { openClient } from "../support/client.ts";
import { anotherNetwork, fetchFrom } from "../support/other-networks.ts";

const service = inject("service");
const { baseUrl, site, activityTable } = service;

beforeAll(() => useLocalData(service));

const fromOwnPage = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };

const send = (url: string, headers: Readonly<Record<string, string>> = fromOwnPage, network = anotherNetwork()) =>
  fetchFrom(network, `${baseUrl}/try`, { method: "POST", headers, body: JSON.stringify({ url }) });

/** The events of a response. */
const eventsOf = async (response: Response): Promise<KeylessEvent[]> =>
  (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

// This machine reaches no public page, so a picture that was captured before answers.
test("keyless: the answer with a picture sets no cookie, and no other origin, cache, or frame gets it", async () => {
  const url = "https://example.com/captured";
  const picture = Buffer.from("picture");
  await storePicture(activityTable, url, { picture, capturedAt: Date.now() });
  const response = await send(url);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
  });
  for (const absent of ["set-cookie", "access-control-allow-origin"]) expect(response.headers.has(absent)).toBe(false);
  const facts = { data: picture.toString("base64"), mime_type: "image/webp", from_cache: true };
  expect(await eventsOf(response)).toEqual([{ picture: expect.objectContaining(facts) }]);
});

test("keyless: a private page that the operator allows is captured with an API key, and refused to visitors", async () => {
  const { capture } = await openClient();
  const url = `${site}/cards`;
  expect((await capture({ url })).headers.get("content-type")).toBe("image/png");
  const events = await eventsOf(await send(url));
  expect(events).toEqual([
    expect.objectContaining({ phase: "browser" }),
    expect.objectContaining({ phase: "navigate" }),
    { error: { code: "URL_NOT_ALLOWED", message: expect.any(String) } },
  ]);
});

test.each([
  ["a private address", "http://10.0.0.1/"],
  ["the service itself", `${baseUrl}/health`],
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

test("keyless: a forged X-Forwarded-For makes no other network", async () => {
  const url = "https://example.com/forged";
  await storePicture(activityTable, url, { picture: Buffer.from("picture"), capturedAt: Date.now() });
  const network = anotherNetwork();
  const statusOf = async (index: number) =>
    (await send(url, { ...fromOwnPage, "X-Forwarded-For": `198.51.${index}.1` }, network)).status;
  const statuses = await Promise.all(Array.from({ length: 12 }, (_, index) => statusOf(index)));
  expect(statuses.toSorted()).toEqual([...Array(10).fill(200), 429, 429]);
});
