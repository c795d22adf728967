// Saved receivers of webhooks as amplifiers: what another origin gets, and how often a webhook is sent again.
import { beforeAll, expect, inject, test, vi } from "vitest";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, openClient, readJson, sendWith } from "../support/client.ts";
import { problemFinder } from "../support/openapi.ts";

const { baseUrl, site, receiver: address } = inject("service");
const PATH = "/api/v1/webhooks/receivers";

let client: Client;
beforeAll(async () => {
  client = await openClient({ plan: "max" });
});

const send = (method: string, path: string, body?: object) => readJson(sendWith(client, method, path, { body }));

async function aReceiver(name: string): Promise<{ readonly id: string }> {
  return (await send("POST", PATH, { name, url: `${address}/to/${name}` })).json;
}

const capture = (id: string) =>
  send("POST", "/api/v1/screenshot", {
    html: "x",
    viewport_width: 100,
    viewport_height: 100,
    async: true,
    webhook_receiver: id,
  });
const hasWebhook = (id: number, status: string) =>
  vi.waitFor(
    async () => expect((await send("GET", `/api/v1/screenshot/${id}`)).json).toMatchObject({ webhook: { status } }),
    { timeout: 20_000, interval: 300 },
  );

test("webhook receiver: gets nothing after its URL changed to another origin until a test event is accepted, and then what was kept", async () => {
  const name = `moved-${client.accountId}`;
  const { id } = await aReceiver(name);
  const first = (await capture(id)).json.request_id;
  await hasWebhook(first, "delivered");
  const problems = problemFinder(await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json());
  const unverified = { status: "paused", paused_by: "verification", unverified_since: expect.any(String) };
  const elsewhere = await send("PATCH", `${PATH}/${id}`, { url: `${site}/not-found` });
  expect(elsewhere.json).toMatchObject(unverified);
  expect(problems("WebhookReceiver", elsewhere.json)).toEqual([]);
  const kept = (await capture(id)).json.request_id;
  await hasWebhook(kept, "paused");
  const since = new Date(Date.now() - 60_000).toISOString();
  for (const [action, body] of [["resume"], ["replay", { since }]] as const) {
    const refused = await send("POST", `${PATH}/${id}/${action}`, body);
    expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining("has to accept a test event")]);
  }
  expect((await send("POST", `${PATH}/${id}/test`)).json.is_delivered).toBe(false);
  const back = await send("PATCH", `${PATH}/${id}`, { url: `${address}/to/${name}` });
  expect(back.json).toMatchObject(unverified);
  expect((await send("POST", `${PATH}/${id}/test`)).json.is_delivered).toBe(true);
  expect((await send("GET", `${PATH}/${id}`)).json).toMatchObject({ status: "active", unverified_since: null });
  await hasWebhook(kept, "delivered");
  expect(await receivedAt(address, name)).toHaveLength(3); // the first one, the test, and what was kept
});

test("webhook receiver: gets a webhook again three times a day, and is refused a fourth time", async () => {
  const { id } = await aReceiver(`repeated-${client.accountId}`);
  const { request_id } = (await capture(id)).json;
  await hasWebhook(request_id, "delivered");
  const again = () => send("POST", `/api/v1/screenshot/${request_id}/webhook/redeliver`);
  for (let times = 1; times <= 3; times++) expect((await again()).status).toBe(202);
  expect(await again()).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
});
