// Signed links over HTTP: a capture without a key, by a query that cannot be changed.
import { createHmac, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { decode } from "../fixtures/png.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";
import { problemFinder } from "../support/openapi.ts";

const { baseUrl, site } = inject("service");
const options = { url: `${site}/box`, viewport_width: "200", viewport_height: "100" };
const NOT_VALID = {
  error:
    "The API key is missing. " + "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.",
  code: "UNAUTHORIZED",
};

interface Key {
  readonly id: number;
  readonly key: string;
  readonly signing_secret: string;
}

let client: Client;
let key: Key;
beforeAll(async () => {
  client = await openClient();
  key = await newKey({ scopes: ["capture"] });
});

const asOwner = (path: string, method: string, body?: object, by = client) =>
  sendWith(by, method, `/api/v1/keys${path}`, { body });

async function newKey(facts: object, by = client): Promise<Key> {
  return (await asOwner("", "POST", { label: "Website", ...facts }, by)).json();
}

const document = async () => (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();

const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);

/** A link, signed as the written reference says. */
function linkOf(parameters: Record<string, string | readonly string[]>, { id, signing_secret } = key): string {
  const all = { key_id: String(id), expires: inSeconds(60), ...parameters };
  const pairs = Object.entries(all).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));
  const signed = pairs
    .map(([name, value]) => [encodeURIComponent(name), encodeURIComponent(value)] as const)
    .sort(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
  const signature = createHmac("sha256", signing_secret).update(signed).digest("hex");
  return `${baseUrl}/api/v1/screenshot?${signed}&signature=${signature}`;
}

async function refusalOf(link: string, init: RequestInit = {}) {
  const response = await fetch(link, init);
  const { error, code, details } = await response.json();
  return { status: response.status, error, code, details };
}

describe("signed link: a link", () => {
  test("returns an image, without any header", async () => {
    const response = await fetch(linkOf(options));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Number(response.headers.get("x-ratelimit-remaining"))).toBeLessThan(150);
  });

  test("counts as a capture by the key that signed it, and its signature is not stored", async () => {
    const own = await openClient({ plan: "free" });
    const signer = await newKey({}, own);
    expect((await fetch(linkOf(options, signer))).status).toBe(200);
    const [log] = await own.logs();
    expect(log).toMatchObject({ api_key: { id: signer.id }, status: "success", options });
    expect(Object.keys((log as { options: object }).options)).toEqual(
      expect.not.arrayContaining(["signature", "key_id"]),
    );
    expect((await (await own.get("/api/v1/account")).json()).quotas.screenshots).toMatchObject({ used: 1 });
  });

  test("can be encoded and ordered in another way", async () => {
    const { searchParams } = new URL(linkOf({ ...options, html: "<p>ü + 1 *</p>", url: [] }));
    const reversed = new URLSearchParams([...searchParams].toReversed()); // with + for blanks, and %2A
    expect((await fetch(`${baseUrl}/api/v1/screenshot?${reversed}`)).status).toBe(200);
  });

  test("works after a rotation for as long as that asks for, but not longer than the next one does", async () => {
    const old = await newKey({});
    const rotate = (body: object) => asOwner(`/${old.id}/rotate`, "POST", body);
    const rotated: Key = await (await rotate({ link_grace_period: 3600 })).json();
    const statuses = await Promise.all([old, rotated].map(async (each) => (await fetch(linkOf(options, each))).status));
    expect(statuses).toEqual([200, 200]);
    await rotate({});
    const said = { error: expect.stringContaining("After a rotation, sign with the new secret.") };
    expect(await refusalOf(linkOf(options, old))).toMatchObject({ status: 401, ...said });
  });
});

const NO_KEY = { status: 401, ...NOT_VALID };
const rejected = (error: RegExp) => ({ status: 401, code: "UNAUTHORIZED", error: expect.stringMatching(error) });

test("signed link: is rejected with its own error, not as a missing API key", async () => {
  expect(await refusalOf(linkOf(options).replace("viewport_width=200", "viewport_width=300"))).toEqual({
    ...rejected(/^The `signature` of the link does not match\./),
    details: { signed_text: expect.stringMatching(/^(?!.*signature).*key_id=/) },
  });
  const byBoth = linkOf({ ...options, access_key: key.key });
  expect(await refusalOf(byBoth)).toMatchObject(rejected(/must not contain `access_key`/));
  const revoked = await newKey({});
  await asOwner(`/${revoked.id}`, "DELETE");
  expect(await refusalOf(linkOf(options, revoked))).toMatchObject(
    rejected(/^The API key that signed this link is rev/),
  );
});

test("signed link: replaces a key for GET of a capture only", async () => {
  const all = await newKey({ scopes: ["capture", "usage", "keys"] });
  expect(await refusalOf(linkOf(options, all), { method: "POST" })).toMatchObject(NO_KEY);
  for (const path of ["/api/v1/usage", "/api/v1/account", "/api/v1/keys", "/api/v1/screenshot/1"])
    expect(await refusalOf(linkOf({}, all).replace("/api/v1/screenshot", path))).toMatchObject(NO_KEY);
});

test("signed link: the error names the scope that the key lacks, and the options that a link can't have", async () => {
  const link = linkOf(options, await newKey({ scopes: ["usage"] }));
  expect(await refusalOf(link)).toMatchObject({ status: 403, code: "FORBIDDEN" });
  const wrongs: [string, Record<string, string | string[]>][] = [
    ["expires", { expires: [] }],
    ["async", { async: "true", webhook_url: "https://example.com" }],
    ["fullpage", { fullpage: "true" }],
  ];
  for (const [field, wrong] of wrongs) {
    const { status, code, details } = await refusalOf(linkOf({ ...options, ...wrong }));
    expect([status, code, Object.keys(details)]).toEqual([422, "VALIDATION_ERROR", [field]]);
  }
});

describe("signed link: a cached capture", () => {
  const cached = (facts: Record<string, string> = {}) => ({
    ...options,
    cache_ttl: "600",
    html: randomUUID(),
    url: [],
    ...facts,
  });
  const maxAge = ({ headers }: Response) =>
    Number(/^private, max-age=(\d+)$/.exec(headers.get("cache-control") ?? "")?.[1]);

  test("may be kept by browsers for the rest of the cache's time, and no longer than the link", async () => {
    const link = linkOf({ ...cached(), expires: inSeconds(3_600) });
    const [miss, hit] = [await fetch(link), await fetch(link)];
    expect([miss, hit].map(({ headers }) => headers.get("x-cache"))).toEqual(["MISS", "HIT"]);
    for (const age of [miss, hit].map(maxAge)) expect(age > 550 && age <= 600).toBe(true);
    const etag = hit.headers.get("etag") ?? "";
    const unchanged = await fetch(link, { headers: { "If-None-Match": etag } });
    expect([unchanged.status, maxAge(unchanged) > 550]).toEqual([304, true]);
    expect(maxAge(await fetch(linkOf({ ...cached(), expires: inSeconds(30) })))).toBeLessThanOrEqual(30);
  });

  test("of a request with a key, or without a cache, has no Cache-Control", async () => {
    const byKey = await client.capture({ html: "x", cache_ttl: "60" });
    const uncached = await fetch(linkOf(options));
    expect([byKey, uncached].map(({ headers }) => headers.get("cache-control"))).toEqual([null, null]);
  });

  test("has a limit of its own, so that visitors use nothing of the account's", async () => {
    const own = await openClient({ plan: "free" });
    const signer = await newKey({}, own);
    const link = linkOf(cached(), signer);
    const first = await fetch(link);
    expect(first.headers.get("x-ratelimit-limit")).toBe("10");
    const views = await Promise.all(Array.from({ length: 30 }, () => fetch(link)));
    expect(
      new Set(
        views.map(({ status, headers }) => `${status} ${headers.get("x-cache")} ${headers.get("x-ratelimit-limit")}`),
      ),
    ).toEqual(new Set(["200 HIT 600"]));
    const after = await own.get("/api/v1/account");
    expect(after.headers.get("x-ratelimit-remaining")).toBe("7"); // the new key, the capture, and this request
    expect((await after.json()).quotas.screenshots.used).toBe(1);
  });
});

describe("signed link: a fallback image", () => {
  const failing = { html: fakePage({ error: "CONTENT_RULE_FAILED" }), url: [], fail_if_content_contains: "sold" };

  test.each([
    ["transparent", "image/gif", [1, 1]],
    ["placeholder", "image/png", [320, 240]],
  ])("that is %s is shown in place of an error", async (fallback_image, type, size) => {
    const viewport = { viewport_width: "640", viewport_height: "480", image_width: "320" };
    const response = await fetch(linkOf({ ...failing, ...viewport, fallback_image }));
    const shown = ["content-type", "x-error-code", "cache-control"].map((name) => response.headers.get(name));
    expect([response.status, ...shown]).toEqual([200, type, "CONTENT_RULE_FAILED", "no-store"]);
    const { width, height } = await decode(Buffer.from(await response.arrayBuffer()));
    expect([width, height]).toEqual(size);
  });

  test("stands for wrong options, pages that are not allowed, and expired links, and for no capture that succeeds", async () => {
    const causes = [
      { ...options, format: "photo" },
      { url: "http://10.0.0.1/" },
      { ...options, expires: inSeconds(-1) },
      options,
    ].map((parameters) => fetch(linkOf({ ...parameters, fallback_image: "transparent" })));
    const answers = (await Promise.all(causes)).map(({ status, headers }) => {
      return [status, headers.get("content-type"), headers.get("x-error-code")];
    });
    const codes = ["VALIDATION_ERROR", "URL_NOT_ALLOWED", "UNAUTHORIZED"];
    expect(answers).toEqual([...codes.map((code) => [200, "image/gif", code]), [200, "image/png", null]]);
  });

  test("stands for no error of a link whose signature is wrong, nor of a request with a key", async () => {
    const forged = linkOf({ ...failing, fallback_image: "transparent" }).replace(/signature=\w/, "signature=x");
    expect(await refusalOf(forged)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    const changed = `${linkOf({ ...failing })}&fallback_image=transparent`;
    expect(await refusalOf(changed)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    const byKey = await client.capture({ html: "x", fallback_image: "transparent" });
    expect([byKey.status, Object.keys((await byKey.json()).details)]).toEqual([422, ["fallback_image"]]);
  });
});

test("signed link: a key in the header takes precedence over a signature, which is then an unknown option", async () => {
  const headers = { Authorization: `Bearer ${client.key}` };
  const { status, details } = await refusalOf(linkOf(options), { headers });
  expect([status, Object.keys(details).toSorted()]).toEqual([422, ["expires", "key_id", "signature"]]);
});

describe("signed link: a key that requires signatures", () => {
  const statusOf = async (response: Promise<Response>) => (await response).status;
  const byQuery = (path: string, { key: access_key }: Key) =>
    statusOf(
      fetch(`${baseUrl}/api/v1${path}?${new URLSearchParams({ ...(path === "/screenshot" && options), access_key })}`),
    );
  const byHeader = ({ key: text }: Key) =>
    statusOf(fetch(`${baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${text}` } }));

  test("is rejected in a query, and works in the header and by its links", async () => {
    const insisting = await newKey({ require_signature: true });
    expect(await byQuery("/screenshot", insisting)).toBe(401);
    const refused = await fetch(`${baseUrl}/api/v1/usage?access_key=${insisting.key}`);
    expect((await refused.json()).error).toMatch(/^This API key needs a signature in a URL/);
    expect(await byQuery("/usage", insisting)).toBe(401);
    expect(await byHeader(insisting)).toBe(200);
    expect(await statusOf(fetch(linkOf(options, insisting)))).toBe(200);
  });

  test("can be changed at any time", async () => {
    const changing = await newKey({});
    const reported = async (body: object) => (await asOwner(`/${changing.id}`, "PATCH", body)).json();
    expect(await byQuery("/usage", changing)).toBe(200);
    const insisting = await reported({ require_signature: true });
    expect(insisting.require_signature).toBe(true);
    expect(problemFinder(await document())("Key", insisting)).toEqual([]);
    expect(await byQuery("/usage", changing)).toBe(401);
    expect((await reported({ label: "Renamed" })).require_signature).toBe(true);
    expect((await reported({ require_signature: "0" })).require_signature).toBe(false);
    expect(await byQuery("/usage", changing)).toBe(200);
  });
});
