// `outputs` asynchronously and in bulk: one job, one webhook, and one status for all results of a page.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { getObject, storageOptions } from "../support/customer-storage.ts";
import { recordPastCaptures } from "../support/past-captures.ts";

const { site, ownStorage, receiver } = inject("service");
let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const page = { url: `${site}/box`, viewport_width: 200, viewport_height: 100 };
const shot = { name: "shot" };
const text = { name: "text", format: "text" };
const missing = { name: "missing", selector: "#missing" };

interface Sending {
  readonly by?: Client;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

const send = (body: object, { by = client, headers = {}, path = "screenshot" }: Sending = {}) =>
  sendWith(by, "POST", `/api/v1/${path}`, { body, headers });

const stateOf = async (id: number, by = client) => (await by.get(`/api/v1/screenshot/${id}`)).json();

async function accepted(body: object, sending: Sending = {}): Promise<number> {
  const response = await send({ ...page, async: true, ...body }, sending);
  expect(response.status).toBe(202);
  return (await response.json()).request_id;
}

describe("an asynchronous request with outputs", () => {
  test("has the results of a synchronous one in its status, and one log for each output", async () => {
    const by = await openClient();
    const id = await accepted({ outputs: [missing, shot, text] }, { by });
    const state = await endOf(id, by);
    expect(state).toMatchObject({
      request_id: id,
      status: "success",
      from_cache: false,
      loads: expect.any(Number),
      billed: { screenshots: 2, videos: 0 },
      outputs: [
        { name: "missing", status: "failed", error: { code: "SELECTOR_NOT_FOUND" } },
        { name: "shot", status: "success", request_id: id + 1, mime_type: "image/png", width: 200, height: 100 },
        { name: "text", status: "success", request_id: id + 2, content: expect.any(String) },
      ],
    });
    const stored = await fetch(state.outputs[2].url);
    expect(await stored.text()).toBe(state.outputs[2].content);
    const logs = (await by.logs()).map(({ group_id, output_name, asynchronous }) => ({
      group_id,
      output_name,
      asynchronous,
    }));
    expect(logs).toEqual(
      ["text", "shot", "missing"].map((output_name) => ({ group_id: id, output_name, asynchronous: true })),
    );
  });

  test("loses its results by a deletion, one at a time or all", async () => {
    const id = await accepted({ outputs: [shot, text] });
    const { outputs } = await endOf(id, client);
    const remove = (path: string) => sendWith(client, "DELETE", `/api/v1/${path}`);
    expect((await remove(`usage/${outputs[0].request_id}`)).status).toBe(204);
    const gone = { url: null, unavailable_reason: "deleted" };
    expect((await stateOf(id)).outputs).toMatchObject([gone, { url: expect.any(String) }]);
    expect((await remove(`screenshot/${id}`)).status).toBe(204);
    expect((await stateOf(id)).outputs).toMatchObject([gone, gone]);
    expect((await fetch(outputs[1].url)).status).toBe(404);
  });

  test("has one webhook with all results", async () => {
    const name = randomUUID();
    const id = await accepted({ outputs: [shot, text], webhook_url: `${receiver}/to/${name}` });
    const [sent] = await vi.waitFor(async () => {
      const all = await receivedAt(receiver, name);
      expect(all).toHaveLength(1);
      return all;
    }, 20_000);
    const event = JSON.parse(sent?.body ?? "");
    expect(event).toMatchObject({
      type: "capture.succeeded",
      data: { request_id: id, outputs: [{ name: "shot" }, { name: "text" }], billed: { screenshots: 2, videos: 0 } },
    });
    expect(event.data.outputs[1]).not.toHaveProperty("content"); // a webhook doesn't contain files
  });

  test("puts each output into the caller's storage", async () => {
    const path = `outputs/${randomUUID()}`;
    const storage = { ...storageOptions(ownStorage, path, "queued"), storage_return_location: true };
    const { outputs } = await endOf(await accepted({ ...storage, outputs: [shot, text] }), client);
    expect(outputs[1].storage_location).toBe(`${ownStorage}/my-bucket/${path}/text.txt`);
    expect((await getObject(ownStorage, `${path}/text.txt`)).body.toString()).toBe(outputs[1].content);
  });

  test("is answered by the cache as a whole, and is accepted once for an idempotency key", async () => {
    const by = await openClient();
    const body = { outputs: [shot, text], cache_ttl: 600 };
    const headers = { "Idempotency-Key": randomUUID() };
    const id = await accepted(body, { by, headers });
    expect(await accepted(body, { by, headers })).toBe(id);
    await endOf(id, by);
    const again = await endOf(await accepted(body, { by }), by);
    expect(again).toMatchObject({ from_cache: true, loads: 0, billed: { screenshots: 0, videos: 0 } });
  });
});

describe("a bulk request with outputs", () => {
  const bulk = (body: object, by = client) => send(body, { by, path: "bulk" });

  test("has one entry for each page, with its outputs", async () => {
    const by = await openClient();
    const requests = [{ outputs: [shot, text] }, { format: "jpeg" }];
    const response = await bulk({ options: page, requests }, by);
    const { data } = await response.json();
    expect(response.status).toBe(200);
    expect(data).toMatchObject([
      {
        status: "success",
        outputs: [
          { name: "shot", status: "success" },
          { name: "text", status: "success" },
        ],
      },
      { status: "success", mime_type: "image/jpeg" },
    ]);
    expect(await by.logs()).toHaveLength(3);
  });

  test("refuses an entry without quota for all of its outputs, and gives back what was reserved", async () => {
    const by = await openClient({ plan: "free" });
    await recordPastCaptures(by, { count: 299 });
    const requests = [{ outputs: [shot, text] }, { format: "jpeg" }];
    const { data } = await (await bulk({ options: page, requests }, by)).json();
    expect(data).toMatchObject([{ status: "refused", error: { code: "QUOTA_EXCEEDED" } }, { status: "success" }]);
  });
});
