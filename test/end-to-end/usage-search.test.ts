// GET /api/v1/usage/search, /usage/export and /usage/{id}: what the list of captures can't tell.
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createId } from "../../lib/service/platform/ids.ts";
import { createCaptureLog } from "../../lib/service/usage/capture-log.ts";
import { logItems, monthItems, writeItems } from "../fixtures/usage-items.ts";
import { aCaptureLog } from "../support/builders.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

const { site, activityTable, usageTable } = inject("service");
const DAY_MS = 24 * 60 * 60 * 1000;
let client: Client;

beforeAll(async () => {
  client = await openClient({ openedAt: Date.now() - 70 * DAY_MS });
  const small = { viewport_width: "100", viewport_height: "100" };
  await client.capture({ url: `${site}/box?n=1`, external_identifier: "shop:42", ...small });
  await client.capture({ url: `${site}/box?n=2`, format: "webp", cache: "true", ...small });
  await client.capture({ url: `${site}/box?n=2`, format: "webp", cache: "true", ...small });
  await client.capture({ url: `${site}/not-found?n=3`, ...small });
});

const search = async (query: Record<string, string> = {}) => (await client.get("/api/v1/usage/search", query)).json();
const pathsOf = ({ data }: { data: { url: string }[] }) => data.map(({ url }) => url.slice(site.length));

describe("usage search", () => {
  sampled(test, 8).each([
    [{}, ["/not-found?n=3", "/box?n=2", "/box?n=2", "/box?n=1"]],
    [{ format: "webp" }, ["/box?n=2", "/box?n=2"]],
    [{ cached: "true" }, ["/box?n=2"]],
    [{ cached: "false", format: "webp" }, ["/box?n=2"]],
    [{ url: "NOT-found" }, ["/not-found?n=3"]],
    [{ url: "box", status: "failed" }, []],
    [{ external_identifier: "shop:42" }, ["/box?n=1"]],
    [{ external_identifier: "shop" }, []],
    [{ error_code: "TARGET_HTTP_ERROR" }, ["/not-found?n=3"]],
    [{ error_code: "TARGET_HTTP_ERROR", status: "success" }, []],
    [{ error_code: "CAPTURE_TIMEOUT" }, []],
    [{ to: "2020-01-01" }, []],
  ])("finds by %j, newest first", async (query, paths) => {
    const found = await search(query as unknown as Record<string, string>);
    expect(pathsOf(found)).toEqual(paths);
    expect(found).toMatchObject({ next_before: null, searched_until: null });
  });

  test("goes on where it ended", async () => {
    const first = await search({ limit: "3" });
    expect(pathsOf(first)).toHaveLength(3);
    expect(Date.parse(first.searched_until)).toBeLessThanOrEqual(Date.now());
    const second = await search({ limit: "3", before: String(first.next_before) });
    expect(pathsOf(second)).toEqual(["/box?n=1"]);
    expect(second.next_before).toBeNull();
  });

  slowTest("reads a limited number of captures for a rare match, and goes on to it in an older month", async () => {
    const busy = await openClient({ openedAt: Date.now() - 70 * DAY_MS });
    const event = ({ url, at, index }: { url: string; at: number; index: number }) => {
      const {
        id: _,
        created_at: __,
        ...log
      } = aCaptureLog({
        user_id: busy.accountId,
        api_key_id: busy.keyId,
        url,
        options: {},
      });
      return createCaptureLog(createId(at, 0) + index, log);
    };
    const others = Array.from({ length: 2_500 }, (_, index) =>
      event({ url: "https://example.com/", at: Date.now() - DAY_MS, index }),
    );
    const rare = event({ url: "https://rare.example/", at: Date.now() - 60 * DAY_MS, index: 0 });
    await writeItems(activityTable, logItems([...others, rare]));
    const get = async (query: Record<string, string>) => (await busy.get("/api/v1/usage/search", query)).json();
    const first = await get({ url: "rare" });
    expect(first.data).toEqual([]);
    const second = await get({ url: "rare", before: String(first.next_before) });
    expect(second.data.map(({ id }: { id: number }) => id)).toEqual([rare.id]);
    expect(second.next_before).toBeNull();
  });

  test("finds by a problem, and by whether captures were queued", async () => {
    const own = await openClient();
    const { id: _, created_at: __, ...log } = aCaptureLog({ user_id: own.accountId, api_key_id: own.keyId });
    const blank = { code: "BLANK", severity: "error", message: "It is blank.", fix: null, evidence: {} } as const;
    const logs = [
      createCaptureLog(createId(Date.now(), 0) + 1, { ...log, details: { problems: [blank] } }),
      createCaptureLog(createId(Date.now(), 0) + 2, {
        ...log,
        asynchronous: true,
        webhook_target: "https://you.example",
      }),
    ];
    await writeItems(activityTable, logItems(logs));
    const found = async (query: Record<string, string>) =>
      (await (await own.get("/api/v1/usage/search", query)).json()).data.map(({ id }: { id: number }) => id);
    expect(await found({ problem: "BLANK" })).toEqual([logs[0]?.id]);
    expect(await found({ problem: "LOGIN_WALL" })).toEqual([]);
    expect(await found({ asynchronous: "true" })).toEqual([logs[1]?.id]);
    expect(await found({ asynchronous: "false" })).toEqual([logs[0]?.id]);
    const csv = await (await own.get("/api/v1/usage/export", { asynchronous: "true" })).text();
    expect(csv.split("\r\n")[1]).toMatch(/,"true","https:\/\/you\.example"$/);
    expect((await own.get("/api/v1/usage/search", { problem: "NONE" })).status).toBe(422);
  });
});

describe("usage breakdown", () => {
  test("counts by format, host, and key, with percentiles of what was rendered", async () => {
    const body = await (await client.get("/api/v1/usage/breakdown", { days: "1" })).json();
    const host = new URL(site).host;
    expect(body).toMatchObject({
      total: 4,
      is_complete: true,
      cached: 1,
      formats: [
        { name: "png", total: 2, failed: 1, cached: 0 },
        { name: "webp", total: 2, failed: 0, cached: 1 },
      ],
      hosts: [{ name: host, total: 4, failed: 1, cached: 1 }],
      api_keys: [{ name: String(client.keyId), total: 4 }],
    });
    expect(body.p50_ms).toBeGreaterThan(0);
    expect(body.p95_ms).toBeGreaterThanOrEqual(body.p50_ms);
  });
});

describe("usage export", () => {
  test("streams CSV that a spreadsheet runs nothing of", async () => {
    const response = await client.get("/api/v1/usage/export", { status: "failed" });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="captures-[\d-]+\.csv"$/);
    const lines = (await response.text()).split("\r\n");
    expect(lines[0]).toMatch(/^id,created_at,status,url,/);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("/not-found?n=3");
    expect(lines[1]).toMatch(/^("(""|[^"])*",)+"(""|[^"])*"$/); // every field is in quotes
  });

  test("streams NDJSON, each line as the list has it", async () => {
    const response = await client.get("/api/v1/usage/export", { output: "ndjson" });
    const logs = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(logs).toEqual((await (await client.get("/api/v1/usage")).json()).data);
  });
});

describe("usage exports of any size", () => {
  test("stand in for the stream where there are more captures than it can hold", async () => {
    const own = await openClient();
    const { id: _id, created_at: _at, ...event } = aCaptureLog({ user_id: own.accountId, api_key_id: own.keyId });
    const at = Date.now() - 2 * DAY_MS;
    const [counters = {}] = monthItems([createCaptureLog(createId(at, 0), event)]);
    const ofDay = Object.keys(counters).filter((name) => /^[sf]\d\d$/.test(name));
    const many = { ...counters, ...Object.fromEntries(ofDay.map((name) => [name, 100_001])) };
    await writeItems(usageTable, [many as unknown as { pk: string; sk: string }]);
    const refused = await own.get("/api/v1/usage/export");
    expect(refused.status).toBe(422);
    expect((await refused.json()).error).toContain("POST /api/v1/usage/exports");
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    expect((await own.get("/api/v1/usage/export", { from: yesterday })).status).toBe(200);
  });

  test("write the captures that match to a gzip file, which a link leads to", async () => {
    const post = (body: object) => sendWith(client, "POST", "/api/v1/usage/exports", { body });
    const started = await post({ output: "ndjson", status: "success" });
    expect(started.status).toBe(202);
    const address = started.headers.get("location") ?? "";
    const state = async () => (await client.get(new URL(address).pathname)).json();
    await vi.waitFor(async () => expect((await state()).status).toBe("ready"), { timeout: 20_000, interval: 100 });
    const { download_url, size_bytes, lines } = await state();
    const file = await fetch(download_url);
    expect(file.headers.get("content-type")).toBe("application/gzip");
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes).toHaveLength(size_bytes);
    const logs = (await (await client.get("/api/v1/usage", { status: "success" })).json()).data;
    const rows = gunzipSync(bytes).toString().trim().split("\n");
    expect(rows.map((line) => JSON.parse(line))).toEqual(logs);
    expect(lines).toBe(logs.length);
    const other = await openClient();
    expect((await other.get(new URL(address).pathname)).status).toBe(404);
    expect((await post({ page: 2 })).status).toBe(422);
  });
});

describe("capture details", () => {
  const details = (id: unknown, key = client.key) => sendWith({ key }, "GET", `/api/v1/usage/${id}`);

  test("have the times by phase, warnings, and a link to the stored result", async () => {
    const stored = await (
      await client.capture({ html: "<h1>Kept", response_type: "json", viewport_width: "100", block_ads: "true" })
    ).json();
    const body = await (await details(stored.request_id)).json();
    expect(body).toMatchObject({
      id: stored.request_id,
      options: { html: "<h1>Kept" },
      phases: { capture: expect.any(Number) },
      warnings: [],
      blocked: { requests: 0 },
      final_url: null,
      result: { mime_type: "image/png", expires_at: stored.expires_at },
    });
    const image = await fetch(body.result.url);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  test("of a capture that failed have its error", async () => {
    const [log] = await client.logs().then((logs) => logs.filter(({ status }) => status === "failed"));
    const body = await (await details(log?.["id"])).json();
    expect(body).toMatchObject({ status: "failed", error_message: expect.any(String), result: null, blocked: null });
  });

  test("have no link for an API key that may not capture", async () => {
    const { request_id } = await (await client.capture({ html: "x", response_type: "json" })).json();
    const body = { label: "Reader", scopes: ["usage"] };
    const { key } = await (await sendWith(client, "POST", "/api/v1/keys", { body })).json();
    expect((await (await details(request_id, key)).json()).result).toBeNull();
  });

  test("of another account's capture are not found, nor those of what is no id", async () => {
    const [other, [log]] = await Promise.all([openClient(), client.logs()]);
    const answers = [details(log?.["id"], other.key), details("abc"), details("0")];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
