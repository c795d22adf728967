// GET /api/v1/usage and /usage/stats: an account's list of captures and its statistics.
import { beforeAll, expect, inject, test } from "vitest";
import { type Client, openClient } from "../support/client.ts";

const { site, baseUrl } = inject("service");
const today = () => new Date().toISOString().slice(0, 10);
let client: Client;

/** Five captures, the third of which failed. */
beforeAll(async () => {
  client = await openClient();
  for (const path of ["/box?n=1", "/box?n=2", "/not-found?n=3", "/box?n=4", "/box?n=5"]) {
    const response = await client.capture({ url: `${site}${path}`, viewport_width: "100", viewport_height: "100" });
    await response.arrayBuffer();
  }
});

const list = async (query: Record<string, string> = {}) => (await client.get("/api/v1/usage", query)).json();
const pathsOf = ({ data }: { data: { url: string }[] }) => data.map(({ url }) => url.slice(site.length));

test("usage list: is newest first, in the page envelope", async () => {
  const { data, ...envelope } = await list();
  expect(envelope).toEqual({
    current_page: 1,
    first_page_url: `${baseUrl}/api/v1/usage?page=1`,
    from: 1,
    to: 5,
    last_page: 1,
    per_page: 25,
    total: 5,
  });
  expect(pathsOf({ data })).toEqual(["/box?n=5", "/box?n=4", "/not-found?n=3", "/box?n=2", "/box?n=1"]);
});

test("usage list: an entry has every documented field and no secret", async () => {
  const response = await fetch(`${baseUrl}/api/v1/screenshot?access_key=${client.key}&html=x&response_type=json`);
  const { file_size_bytes, request_id } = await response.json();
  const [log] = (await list()).data;
  expect(log).toEqual({
    id: request_id,
    user_id: client.accountId,
    api_key_id: client.keyId,
    url: "",
    options: { html: "x", response_type: "json" },
    format: "png",
    status: "success",
    http_status_code: null,
    error_message: null,
    response_time_ms: expect.any(Number),
    file_size_bytes,
    cached: false,
    asynchronous: false,
    group_id: null,
    output_name: null,
    webhook_target: null,
    thumbnail_url: `${baseUrl}/api/v1/usage/${request_id}/thumbnail`,
    ip_address: "127.0.0.1",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    api_key: { id: client.keyId, label: "Test", key_prefix: client.key.slice(0, 12) },
  });
});

test("usage list: filters by status, key and date, and paginates", async () => {
  expect(pathsOf(await list({ status: "failed" }))).toEqual(["/not-found?n=3"]);
  expect(pathsOf(await list({ status: "failed", api_key_id: String(client.keyId) }))).toEqual(["/not-found?n=3"]);
  expect(await list({ api_key_id: "1" })).toMatchObject({ data: [], total: 0, from: null, to: null, last_page: 1 });
  expect(await list({ to: "2020-01-01" })).toMatchObject({ data: [], total: 0 });
  const second = await list({ status: "success", per_page: "2", page: "2", from: today(), to: today() });
  expect(second.data).toHaveLength(2);
  expect(second).toMatchObject({ current_page: 2, from: 3, to: 4, last_page: Math.ceil(second.total / 2) });
  const first = new URL(second.first_page_url);
  expect(Object.fromEntries(first.searchParams)).toEqual({
    status: "success",
    from: today(),
    to: today(),
    per_page: "2",
    page: "1",
  });
});

test.each([
  ["/api/v1/usage", { from: "2026-02-02", to: "2026-02-01" }, "to"],
  ["/api/v1/usage/stats", { from: "2026-01-01", to: "2026-04-01" }, "to"],
])("usage list: rejects %s with %j", async (path, query, field) => {
  const response = await client.get(path, query as Record<string, string>);
  expect(response.status).toBe(422);
  expect(Object.keys((await response.json()).details)).toEqual([field]);
});

test("usage statistics: sum up the days of a range, newest first, days without captures too", async () => {
  const own = await openClient();
  for (const path of ["/box", "/box", "/not-found"]) await own.capture({ url: `${site}${path}` });
  const stats = await (await own.get("/api/v1/usage/stats", { days: "2" })).json();
  expect(stats).toEqual({
    series: [
      { date: today(), success: 2, failed: 1, avg_ms: expect.any(Number) },
      { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), success: 0, failed: 0, avg_ms: 0 },
    ],
    total: 3,
    total_success: 2,
    total_failed: 1,
    success_rate: 66,
    avg_response_ms: stats.series[0].avg_ms,
  });
  expect(stats.avg_response_ms).toBeGreaterThan(0);
});

test("usage list: an account sees nothing of another", async () => {
  const stranger = await openClient();
  expect(await stranger.logs()).toEqual([]);
  expect(await (await stranger.get("/api/v1/usage/stats")).json()).toMatchObject({ total: 0, success_rate: 0 });
});
