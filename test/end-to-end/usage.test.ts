// GET /api/v1/usage and /usage/stats: an account's list of captures and its statistics.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createId } from "../../lib/service/platform/ids.ts";
import { createCaptureLog } from "../../lib/service/usage/capture-log.ts";
import { type CaptureRow, captureRow } from "../../lib/service/usage/capture-row.ts";
import { seededRandom } from "../fixtures/seeded-random.ts";
import { hourItems, logItems, monthItems, writeItems } from "../fixtures/usage-items.ts";
import { aCaptureLog } from "../support/builders.ts";
import { type Client, openClient } from "../support/client.ts";
import { sampled } from "../support/slow-run.ts";

const { site, baseUrl, usageTable, activityTable } = inject("service");
const DAY_MS = 24 * 60 * 60 * 1000;
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

test("usage list: a page beyond the last is empty", async () => {
  expect(await list({ page: "99" })).toMatchObject({ current_page: 99, data: [], from: null, to: null });
});

test.each([
  ["/api/v1/usage", { page: "0" }, "page"],
  ["/api/v1/usage", { per_page: "101" }, "per_page"],
  ["/api/v1/usage", { status: "maybe" }, "status"],
  ["/api/v1/usage", { from: "2026-02-30" }, "from"],
  ["/api/v1/usage", { from: "2026-02-02", to: "2026-02-01" }, "to"],
  ["/api/v1/usage/stats", { days: "91" }, "days"],
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

describe("usage list: with captures by three keys, over 400 days and more", () => {
  const DAYS = 400;
  const now = Date.now();
  const dateOf = (daysAgo: number) => new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);
  let own: Client;
  /** Newest first; what is too old to be shown is not among them. */
  let shown: CaptureRow[];

  beforeAll(async () => {
    own = await openClient();
    const random = seededRandom(31);
    const aCapture = (daysAgo: number) => {
      const time = now - daysAgo * DAY_MS - Math.floor(random() * 60 * 60 * 1000);
      const api_key_id = own.keyId + Math.floor(random() * 3);
      const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: own.accountId, api_key_id });
      const status = random() < 0.9 ? "success" : "failed";
      return createCaptureLog(createId(time, random()), { ...event, status, response_time_ms: 100 });
    };
    const busy = Array.from({ length: 710 }, () => aCapture(40));
    const steady = Array.from({ length: DAYS + 20 }, (_, day) => aCapture(day));
    const captures = [...busy, ...steady];
    await writeItems(activityTable, logItems(captures));
    await writeItems(usageTable, [...monthItems(captures), ...hourItems(captures)]);
    shown = captures
      .filter(({ created_at }) => created_at.slice(0, 10) >= dateOf(DAYS))
      .toSorted((a, b) => b.id - a.id)
      .map((log) => captureRow(log, { baseUrl, now }));
  });

  const pageOf = async (query: Record<string, string>) => (await own.get("/api/v1/usage", query)).json();

  sampled(test, 3).each([1, 2, 3, 20, 30, 31, 45])("page %d has its captures", async (page) => {
    const { data, ...envelope } = await pageOf({ page: String(page) });
    const expected = shown.slice((page - 1) * 25, page * 25);
    expect(data).toEqual(expected);
    expect(envelope).toEqual({
      current_page: page,
      first_page_url: `${baseUrl}/api/v1/usage?page=1`,
      from: (page - 1) * 25 + 1,
      to: (page - 1) * 25 + expected.length,
      last_page: Math.ceil(shown.length / 25),
      per_page: 25,
      total: shown.length,
    });
  });

  test("the last page ends with the oldest that is still shown", async () => {
    const { last_page } = await pageOf({ per_page: "100" });
    const { data, to, total } = await pageOf({ per_page: "100", page: String(last_page) });
    expect([data.at(-1), to, total]).toEqual([shown.at(-1), shown.length, shown.length]);
  });

  sampled(test, 4).each([
    ["status", { status: "failed" }],
    ["key", { api_key_id: 1 }],
    ["first day", { from: dateOf(100) }],
    ["last day", { to: dateOf(38) }],
    ["all of them", { status: "failed", api_key_id: 2, from: dateOf(390), to: dateOf(39) }],
  ])(
    "filters of %s together with a page return the matches",
    async (_, filter: Partial<Record<string, string | number>>) => {
      const { status, from = "", to = "9999" } = filter;
      const apiKeyId = filter["api_key_id"] === undefined ? undefined : own.keyId + Number(filter["api_key_id"]);
      const wanted = shown.filter((log) => {
        const date = log.created_at.slice(0, 10);
        const isOfKey = apiKeyId === undefined || log.api_key_id === apiKeyId;
        return isOfKey && (status === undefined || log.status === status) && date >= String(from) && date <= String(to);
      });
      const query = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
      if (apiKeyId !== undefined) query["api_key_id"] = String(apiKeyId);
      for (const page of [1, 3, Math.ceil(wanted.length / 10)]) {
        const answer = await pageOf({ ...query, page: String(page), per_page: "10" });
        expect(answer.data).toEqual(wanted.slice((page - 1) * 10, page * 10));
        expect(answer).toMatchObject({ total: wanted.length, last_page: Math.ceil(wanted.length / 10) });
      }
    },
  );

  test("the statistics of 90 days match the list", async () => {
    const stats = await (await own.get("/api/v1/usage/stats", { days: "90" })).json();
    const { total } = await pageOf({ from: dateOf(89) });
    expect([stats.total, stats.series.length, stats.avg_response_ms]).toEqual([total, 90, 100]);
    const failed = await pageOf({ from: dateOf(89), status: "failed", per_page: "1" });
    expect(stats.total_failed).toBe(failed.total);
  });

  test("the statistics omit what the list omits", async () => {
    const range = { from: dateOf(DAYS + 10), to: dateOf(DAYS - 10) };
    const stats = await (await own.get("/api/v1/usage/stats", range)).json();
    const { total } = await pageOf(range);
    expect([stats.total, stats.series.length]).toEqual([total, 21]);
    expect(total).toBe(shown.filter(({ created_at }) => created_at.slice(0, 10) <= range.to).length);
  });
});
