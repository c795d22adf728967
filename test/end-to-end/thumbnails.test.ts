// Thumbnails of captures, and the deletion of what a capture has stored.
import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { idTime } from "../../lib/service/platform/ids.ts";
import { hasResult } from "../../lib/service/results/result-store.ts";
import { fromLogItem } from "../../lib/service/usage/capture-log-item.ts";
import { findLogItem } from "../../lib/service/usage/log-search.ts";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { deleteAllData } from "../support/exported-data.ts";
import { signIn } from "../support/signed-in.ts";
import { slowDescribe, slowTest } from "../support/slow-run.ts";

const { baseUrl, site, receiver, activityTable, resultsBucket, sqs } = inject("service");
process.env["AWS_ENDPOINT_URL_S3"] = sqs; // one engine is both

const small = { viewport_width: "400", viewport_height: "300" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Row = Readonly<Record<string, unknown>> & { readonly id: number; readonly thumbnail_url: string | null };

const ask = (by: Pick<Client, "key">, url: string, method = "GET") =>
  fetch(url, { method, headers: { Authorization: `Bearer ${by.key}` } });

/** Captures, and returns the row of the list. */
async function captured(options: Record<string, string>, by = client): Promise<Row> {
  const response = await by.capture({ html: randomUUID(), ...small, ...options });
  expect(response.ok).toBe(true);
  return rowOf(Number(response.headers.get("x-request-id")), by);
}

async function rowOf(id: number, by = client): Promise<Row> {
  return (await ask(by, `${baseUrl}/api/v1/usage/${id}`)).json();
}

/** A key of the account that has one scope. */
const aKey = async (scope: "capture" | "usage"): Promise<{ readonly key: string }> =>
  (await sendWith(client, "POST", "/api/v1/keys", { body: { label: "One scope", scopes: [scope] } })).json();

/** The thumbnail of a row, which is made after the response. */
async function thumbnailOf({ thumbnail_url: url }: Row, by = client): Promise<Response> {
  let response = await ask(by, url ?? "");
  await vi.waitFor(
    async () => {
      if (!response.ok) response = await ask(by, url ?? "");
      expect(response.status).toBe(200);
    },
    { timeout: 5_000, interval: 50 },
  );
  return response;
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const sizeOf = async (image: Buffer) => {
  const { format, width, height } = await sharp(image).metadata();
  return [format, width, height];
};

/** Where the thumbnail of a capture is stored. */
async function placeOf(id: number, { accountId } = client): Promise<string> {
  const view = { activity: activityTable, accountId, retentionDays: 400, now: Date.now() };
  return fromLogItem(await findLogItem(view, id, idTime(id))).thumbnail?.key ?? "";
}

describe("a thumbnail", () => {
  test("is a WebP of 320 pixels, which the browser of its account keeps", async () => {
    const row = await captured({});
    expect(row).toMatchObject({ asynchronous: false, webhook_target: null });
    expect(row.thumbnail_url).toBe(`${baseUrl}/api/v1/usage/${row.id}/thumbnail`);
    const response = await thumbnailOf(row);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("cache-control")).toBe("private, max-age=86400, immutable");
    expect(await sizeOf(await bytesOf(response))).toEqual(["webp", 320, 240]);
    const owner = await signIn(client.accountId);
    const before = (await owner.request("GET", "/api/v1/account")).headers.get("x-ratelimit-remaining");
    const bySession = await owner.request("GET", new URL(row.thumbnail_url ?? "").pathname);
    expect([bySession.status, bySession.headers.get("cache-control")]).toEqual([
      200,
      "private, max-age=86400, immutable",
    ]);
    expect(bySession.headers.get("x-ratelimit-limit")).toBe("600"); // apart from other requests of sessions
    const after = (await owner.request("GET", "/api/v1/account")).headers.get("x-ratelimit-remaining");
    expect(Number(before) - Number(after)).toBeLessThanOrEqual(1);
    expect((await fetch(row.thumbnail_url ?? "")).status).toBe(401);
  });

  test("is in the list, in searches, and in exports alike", async () => {
    const own = await openClient();
    const { id, thumbnail_url } = await captured({}, own);
    const [listed] = await own.logs();
    const searched = (await (await own.get("/api/v1/usage/search", { format: "png" })).json()).data;
    const exported = await (await own.get("/api/v1/usage/export", { output: "ndjson" })).text();
    expect([listed, ...searched, JSON.parse(exported)]).toEqual(
      Array(3).fill(expect.objectContaining({ id, thumbnail_url })),
    );
  });

  test("is made neither of documents, nor on request, nor of a failed capture", async () => {
    for (const options of [{ format: "pdf" }, { format: "text" }, { store_thumbnail: "false" }]) {
      const row = await captured(options as unknown as Record<string, string>);
      expect([row.thumbnail_url, await placeOf(row.id)]).toEqual([null, ""]);
      const response = await ask(client, `${baseUrl}/api/v1/usage/${row.id}/thumbnail`);
      expect([response.status, (await response.json()).code]).toEqual([404, "NOT_FOUND"]);
    }
    await client.capture({ url: `${site}/not-found`, ...small });
    expect((await client.logs())[0]).toMatchObject({ status: "failed", thumbnail_url: null });
  });

  slowTest("is up to the account's setting, and a request overrides that", async () => {
    const own = await openClient();
    const owner = await signIn(own.accountId);
    await owner.request("PATCH", "/api/v1/account/settings", { store_thumbnails: false });
    expect((await (await owner.request("GET", "/session")).json()).account.store_thumbnails).toBe(false);
    expect((await captured({}, own)).thumbnail_url).toBeNull();
    await thumbnailOf(await captured({ store_thumbnail: "true" }, own), own);
    await owner.request("PATCH", "/api/v1/account/settings", { store_thumbnails: true });
    expect((await captured({}, own)).thumbnail_url).not.toBeNull();
  });

  test("of a capture that the cache answered is that of the capture that made the result", async () => {
    const options = { html: randomUUID(), cache: "true" };
    const first = await captured(options);
    const hit = await captured({ ...options, store_thumbnail: "true" }); // not a part of the cache key
    expect(hit).toMatchObject({ cached: true, thumbnail_url: `${baseUrl}/api/v1/usage/${hit.id}/thumbnail` });
    expect(await placeOf(hit.id)).toBe(await placeOf(first.id));
    expect((await bytesOf(await thumbnailOf(hit))).equals(await bytesOf(await thumbnailOf(first)))).toBe(true);
    expect((await captured({ ...options, store_thumbnail: "false" })).thumbnail_url).toBeNull();
  });

  test("of an id that is none is not found, and nothing is deleted by it", async () => {
    for (const id of ["%00", "..%2fstats"])
      for (const [method, path] of [["GET", `${id}/thumbnail`] as const, ["DELETE", id] as const])
        expect((await ask(client, `${baseUrl}/api/v1/usage/${path}`, method)).status).toBe(404);
  });

  test("of another account is not found, and neither is one for a key without the scope", async () => {
    const row = await captured({});
    await thumbnailOf(row);
    const stranger = await ask(await openClient(), row.thumbnail_url ?? "");
    expect([stranger.status, (await stranger.json()).code]).toEqual([404, "NOT_FOUND"]);
    expect((await ask(await aKey("capture"), row.thumbnail_url ?? "")).status).toBe(403);
  });
});

slowDescribe("an asynchronous capture", () => {
  test("is marked in the list with the origin of its webhook, and its result is deleted with its thumbnail", async () => {
    const own = await openClient();
    const webhook_url = `${receiver}/to/${randomUUID()}?token=hush-webhook`;
    const accepted = await own.capture({ url: `${site}/box`, ...small, async: "true", webhook_url });
    const { request_id: id, status_url } = await accepted.json();
    const origin = new URL(receiver).origin;
    const state = async () => (await ask(own, status_url)).json();
    expect(await state()).toMatchObject({ page_url: `${site}/box`, format: "png", webhook_target: origin });
    await endOf(id, own);
    const row = await rowOf(id, own);
    expect(row).toMatchObject({ asynchronous: true, webhook_target: origin, result: { mime_type: "image/png" } });
    expect(JSON.stringify([row, await state()])).not.toContain("hush-webhook");
    await thumbnailOf(row, own);
    const place = await placeOf(id, own);
    expect(await hasResult(resultsBucket, place)).toBe(true);
    const found = async (asynchronous: string) =>
      (await (await own.get("/api/v1/usage/search", { asynchronous })).json()).data.map((each: Row) => each.id);
    expect([await found("true"), await found("false")]).toEqual([[id], []]);

    expect((await ask(own, status_url, "DELETE")).status).toBe(204);
    expect(await hasResult(resultsBucket, place)).toBe(false);
    expect(await rowOf(id, own)).toMatchObject({ thumbnail_url: null, result: null });
  });
});

describe("deleting what a capture has stored", () => {
  const remove = (id: number, by = client) => ask(by, `${baseUrl}/api/v1/usage/${id}`, "DELETE");

  test("ends the result, its slices, and the thumbnail of a synchronous one, and keeps its log", async () => {
    const html = `<body style="height: 2000px">${randomUUID()}`;
    const sliced = { full_page: "true", full_page_slices: "true", full_page_slice_height: "1000" };
    const stored = await (await client.capture({ html, ...small, ...sliced, response_type: "json" })).json();
    const links = [stored.url, ...stored.slices.map(({ url }: { url: string }) => url)];
    expect(links.length).toBeGreaterThan(2);
    const row = await rowOf(stored.request_id);
    await thumbnailOf(row);
    const place = await placeOf(row.id);
    for (let time = 0; time < 2; time++) {
      const response = await remove(row.id);
      expect([response.status, await response.text()]).toEqual([204, ""]);
    }
    expect(await Promise.all(links.map(async (link) => (await fetch(link)).status))).toEqual(links.map(() => 404));
    expect(await hasResult(resultsBucket, place)).toBe(false);
    expect((await ask(client, row.thumbnail_url ?? "")).status).toBe(404);
    expect(await rowOf(row.id)).toMatchObject({ id: row.id, status: "success", thumbnail_url: null, result: null });
  });

  test("ends the answers of the cache, but not with a capture that the cache answered", async () => {
    const options = { html: randomUUID(), cache: "true" };
    const first = await captured(options);
    const hit = await captured(options);
    await thumbnailOf(hit);
    expect((await remove(hit.id)).status).toBe(204);
    expect((await rowOf(hit.id)).thumbnail_url).toBeNull();
    expect((await thumbnailOf(first)).status).toBe(200);
    expect((await captured(options))["cached"]).toBe(true);
    expect((await remove(first.id)).status).toBe(204);
    expect((await captured(options))["cached"]).toBe(false);
  });

  test("of an asynchronous one is the deletion of its result", async () => {
    const { request_id: id, status_url } = await (await client.capture({ html: "x", ...small, async: "true" })).json();
    const state = async () => (await ask(client, status_url)).json();
    await endOf(id, client);
    await thumbnailOf(await rowOf(id));
    expect((await remove(id)).status).toBe(204);
    expect(await state()).toMatchObject({ url: null, unavailable_reason: "deleted" });
  });

  test("of another account's capture is refused as if there were none, and by a key that may not capture", async () => {
    const row = await captured({});
    const response = await remove(row.id, await openClient());
    expect([response.status, (await response.json()).code]).toEqual([404, "NOT_FOUND"]);
    const reader = await aKey("usage");
    expect((await ask(reader, `${baseUrl}/api/v1/usage/${row.id}`, "DELETE")).status).toBe(403);
    expect((await thumbnailOf(row)).status).toBe(200);
  });
});

test("a thumbnail is deleted with its account", async () => {
  const own = await openClient();
  const row = await captured({}, own);
  await thumbnailOf(row, own);
  const place = await placeOf(row.id, own);
  expect(await hasResult(resultsBucket, place)).toBe(true);
  const owner = await signIn(own.accountId);
  await deleteAllData(owner, "Test");
  expect(await hasResult(resultsBucket, place)).toBe(false);
  expect((await ask(own, row.thumbnail_url ?? "")).status).toBe(401);
});
