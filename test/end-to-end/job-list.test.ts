// The list of asynchronous captures over HTTP.
import { beforeAll, expect, test, vi } from "vitest";
import { type Client, openClient } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";

let client: Client;
let ids: number[];

const list = async (query: Record<string, string> = {}, by = client) => (await by.get("/api/v1/jobs", query)).json();
const idsOf = ({ data }: { data: { request_id: number }[] }) => data.map(({ request_id }) => request_id);

beforeAll(async () => {
  client = await openClient();
  ids = [];
  for (const html of ["<p>one", fakePage({ error: "SELECTOR_NOT_FOUND" }), "<p>three"]) {
    const named = html === "<p>three" ? { external_identifier: "order-7" } : {};
    const accepted = await client.capture({ html, async: "true", viewport_width: "200", ...named });
    ids.unshift((await accepted.json()).request_id);
  }
  const isOver = async () => {
    const statuses = (await list()).data.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(["success", "failed", "success"]);
  };
  await vi.waitFor(isOver, { timeout: 40_000, interval: 500 });
});

test("lists the captures, newest first, each as its own status route answers it", async () => {
  const listed = await list();
  expect([idsOf(listed), listed.next_before]).toEqual([ids, null]);
  const { url: _, ...first } = listed.data[0];
  expect(await (await client.get(`/api/v1/screenshot/${ids[0]}`)).json()).toMatchObject(first);
  expect(listed.data[1].error).toMatchObject({ code: "SELECTOR_NOT_FOUND" });
});

test("goes on where the last list ended", async () => {
  const first = await list({ limit: "2" });
  expect([idsOf(first), first.next_before]).toEqual([ids.slice(0, 2), ids[1]]);
  const second = await list({ limit: "2", before: String(first.next_before) });
  expect([idsOf(second), second.next_before]).toEqual([ids.slice(2), null]);
});

test("filters by status", async () => {
  expect(idsOf(await list({ status: "failed" }))).toEqual([ids[1]]);
  expect(idsOf(await list({ status: "queued" }))).toEqual([]);
});

test("finds by external_identifier, exactly", async () => {
  expect(idsOf(await list({ external_identifier: "order-7" }))).toEqual([ids[0]]);
  expect(idsOf(await list({ external_identifier: "order-" }))).toEqual([]);
  const { data } = await (await client.get("/api/v1/usage/search", { external_identifier: "order-7" })).json();
  expect(data.map(({ id }: { id: number }) => id)).toEqual([ids[0]]);
});

test("lists nothing of another account", async () => {
  expect(await list({}, await openClient())).toEqual({ data: [], next_before: null });
});

test.each([[{ status: "lost" }], [{ limit: "101" }], [{ page: "1" }]])("refuses %j", async (query) => {
  const response = await client.get("/api/v1/jobs", query as Record<string, string>);
  expect([response.status, (await response.json()).code]).toEqual([422, "VALIDATION_ERROR"]);
});
