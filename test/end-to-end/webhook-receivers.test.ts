// /api/v1/webhooks/receivers: saved receivers of webhooks over HTTP, and what a stranger or a hostile receiver gets of them.
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { listReceivers, readReceiverSecrets } from "../../lib/service/receivers/receiver-store.ts";
import { type Received, receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, openClient, readJson, sendWith } from "../support/client.ts";
import { deleteAllData, exportAllData } from "../support/exported-data.ts";
import { problemFinder } from "../support/openapi.ts";
import { serviceLogs } from "../support/service-logs.ts";
import { signIn } from "../support/signed-in.ts";

const { baseUrl, receiver: address, accountsTable } = inject("service");
const PATH = "/api/v1/webhooks/receivers";
const ABSENT = "rcv_0000000000000000";
const small = { html: "x", viewport_width: 100, viewport_height: 100 };

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const send = (method: string, path: string, body?: object, key = client.key) =>
  readJson(sendWith({ key }, method, path, { body }));

let count = 0;
/** A new receiver, with its name in the fixture's addresses. */
async function aReceiver({ query = "", by = client }: { query?: string; by?: Client } = {}) {
  const name = `saved-${client.accountId}-${count++}`;
  const { status, json } = await send("POST", PATH, { name, url: `${address}/to/${name}${query}` }, by.key);
  expect(status).toBe(201);
  return json;
}

const capture = (id: string, options: object = {}) =>
  send("POST", "/api/v1/screenshot", { ...small, async: true, webhook_receiver: id, ...options });
const stateOf = async (id: number) => (await send("GET", `/api/v1/screenshot/${id}`)).json;
const receivedBy = (name: string, number: number) =>
  vi.waitFor(
    async () => {
      const requests = await receivedAt(address, name);
      expect(requests.length).toBeGreaterThanOrEqual(number);
      return requests;
    },
    { timeout: 20_000, interval: 100 },
  );
const hasWebhook = (id: number, status: string) =>
  vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ webhook: { status } }), {
    timeout: 20_000,
    interval: 200,
  });
const contractProblems = async () => problemFinder(await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json());
const verify = (request: Received | undefined, secret: string) =>
  new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>);

describe("webhook receiver", () => {
  test("is created with a secret, listed without, rotated, renamed, and deleted, as the contract says", async () => {
    const problems = await contractProblems();
    const created = await send("POST", PATH, { name: " Orders ", url: `${address}/to/orders` });
    expect(created.headers.get("cache-control")).toBe("no-store");
    expect(created.json).toMatchObject({ name: "Orders", status: "active", kept_events: 0, failing_since: null });
    expect(problems("IssuedWebhookReceiver", created.json)).toEqual([]);
    const { id, signing_secret } = created.json;
    expect((await send("GET", `${PATH}/${id}/secret`)).json).toEqual({ signing_secret });
    const rotated = (await send("POST", `${PATH}/${id}/rotate`)).json;
    expect(Date.parse(rotated.previous_secret_ends_at)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const last = (await send("POST", `${PATH}/${id}/rotate`, { overlap: 0 })).json;
    expect(last.previous_secret_ends_at).toBeNull();
    const list = await send("GET", PATH);
    expect(problems("WebhookReceivers", list.json)).toEqual([]);
    expect(JSON.stringify(list.json)).not.toContain("whsec_");
    expect((await send("PATCH", `${PATH}/${id}`, { name: "<b>Orders</b>" })).json.name).toBe("<b>Orders</b>");
    expect((await send("GET", `${PATH}/${id}`)).json).toMatchObject({ id, name: "<b>Orders</b>" });
    expect((await send("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await send("GET", `${PATH}/${id}`)).status).toBe(404);
  });

  test("gets the webhooks of captures that name it, signed with its secret, and has them in its log", async () => {
    const { id, name, signing_secret } = await aReceiver();
    const { status, json } = await capture(id);
    expect([status, json.webhook_url, json.webhook_receiver]).toEqual([202, null, id]);
    const [request] = await receivedBy(name, 1);
    expect(verify(request, signing_secret)).toMatchObject({ type: "capture.succeeded" });
    expect(() => verify(request, client.signingSecret)).toThrow();
    await hasWebhook(json.request_id, "delivered");
    const log = await send("GET", `${PATH}/${id}/deliveries`);
    expect((await contractProblems())("WebhookDeliveries", log.json)).toEqual([]);
    expect(log.json.data).toMatchObject([{ request_id: json.request_id, type: "capture.succeeded", attempt: 1 }]);
    expect((await send("GET", `${PATH}/${id}/deliveries?status=failed`)).json.data).toEqual([]);
    expect((await send("GET", `${PATH}/${id}`)).json.last_success_at).toEqual(expect.any(String));
  });

  test("keeps webhooks while it is paused, gets them when it is resumed, and again on request", async () => {
    const { id, name } = await aReceiver();
    expect((await send("POST", `${PATH}/${id}/pause`)).json).toMatchObject({ status: "paused" });
    const { request_id } = (await capture(id)).json;
    await hasWebhook(request_id, "paused");
    expect((await send("GET", `${PATH}/${id}`)).json.kept_events).toBe(1);
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await send("POST", `${PATH}/${id}/replay`, { since })).status).toBe(409);

    expect((await send("POST", `${PATH}/${id}/resume`)).json).toMatchObject({ status: "active", paused_at: null });
    await receivedBy(name, 1);
    await hasWebhook(request_id, "delivered");
    const replay = await send("POST", `${PATH}/${id}/replay`, { since });
    expect([replay.status, replay.json.captures]).toEqual([202, 1]);
    const requests = await receivedBy(name, 2);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const again = await send("POST", `${PATH}/${id}/replay`, { since });
    expect([again.status, again.json.code, Number(again.headers.get("retry-after")) > 30]).toEqual([
      429,
      "RATE_LIMITED",
      true,
    ]);
  });

  test("gets a test event, which is logged, also from a browser that is signed in", async () => {
    const { id, signing_secret } = await aReceiver();
    const owner = await signIn(client.accountId);
    const { request, is_delivered } = await (await owner.request("POST", `${PATH}/${id}/test`)).json();
    expect(is_delivered).toBe(true);
    expect(new Webhook(signing_secret).verify(request.body, request.headers)).toMatchObject({ type: "test" });
    expect((await send("GET", `${PATH}/${id}/deliveries`)).json.data).toMatchObject([
      { type: "test", request_id: null },
    ]);
  });
});

describe("webhook receiver: a capture", () => {
  test("that names an unknown one, or one and an address, is refused with the fix, also when it is only validated", async () => {
    for (const options of [{}, { validate: true }]) {
      const { status, json } = await capture(ABSENT, options);
      expect([status, json.details]).toEqual([
        422,
        {
          webhook_receiver: [
            "is not the id of a webhook receiver of this account; list its receivers with GET /api/v1/webhooks/receivers",
          ],
        },
      ]);
    }
    const { id } = await aReceiver();
    expect((await capture(id, { webhook_url: `${address}/to/x` })).json.details).toHaveProperty("webhook_receiver");
  });
});

describe("webhook receiver: an attack", () => {
  test("with the address of a private network is refused", async () => {
    const { id } = await aReceiver();
    for (const url of ["https://169.254.169.254/", "http://example.com/"]) {
      const { status, json } = await send("POST", PATH, { name: "Hostile", url });
      expect([status, Object.keys(json.details)]).toEqual([422, ["url"]]);
      expect((await send("PATCH", `${PATH}/${id}`, { url })).status).toBe(422);
    }
  });

  const routes: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["GET", ""],
    ["PATCH", "", { name: "Mine" }],
    ["DELETE", ""],
    ["GET", "/secret"],
    ["POST", "/rotate"],
    ["POST", "/pause"],
    ["POST", "/resume"],
    ["GET", "/deliveries"],
    ["POST", "/test"],
    ["POST", "/replay", { since: new Date(Date.now() - 60_000).toISOString() }],
  ];

  test("on the receiver of another account finds nothing, as for a missing one", async () => {
    const [{ id }, stranger] = [await aReceiver(), await openClient()];
    for (const [method, path, body] of routes) {
      const answers = await Promise.all(
        [id, ABSENT, "NAMES"].map((each) => send(method, `${PATH}/${each}${path}`, body, stranger.key)),
      );
      const shown = answers.map(({ status, json }) => `${method} ${path} ${status} ${json.code}`);
      expect(shown).toEqual(answers.map(() => `${method} ${path} 404 NOT_FOUND`));
    }
    expect(
      (await send("POST", "/api/v1/screenshot", { ...small, async: true, webhook_receiver: id }, stranger.key)).status,
    ).toBe(422);
    expect((await send("GET", `${PATH}/${id}`)).json).toMatchObject({ status: "active" });
  });

  test("with a key that lacks a scope is refused", async () => {
    const { id } = await aReceiver();
    const keyWith = async (...scopes: string[]) =>
      (await send("POST", "/api/v1/keys", { label: "K", scopes })).json.key;
    const [keys, usage, capturing] = [await keyWith("keys"), await keyWith("usage"), await keyWith("capture")];
    for (const [method, path, body] of routes) {
      const needed = method === "GET" && { "": keys, "/deliveries": usage }[path];
      for (const key of [keys, usage, capturing]) {
        const { status } = await send(method, `${PATH}/${id}${path}`, body, key);
        expect([method, path, status]).toEqual([method, path, key === needed ? 200 : 403]);
      }
    }
  });

  test("finds no secret in an export, and no receiver after the deletion of the account", async () => {
    const other = await openClient();
    const { id, signing_secret } = await aReceiver({ by: other });
    const rotated = (await send("POST", `${PATH}/${id}/rotate`, undefined, other.key)).json.signing_secret;
    await send("POST", `${PATH}/${id}/test`, undefined, other.key);
    await send("POST", `${PATH}/${id}/pause`, undefined, other.key);
    await send("POST", "/api/v1/screenshot", { ...small, async: true, webhook_receiver: id }, other.key);
    const kept = async () => (await send("GET", `${PATH}/${id}`, undefined, other.key)).json.kept_events;
    await vi.waitFor(async () => expect(await kept()).toBe(1), { timeout: 20_000, interval: 200 });
    const owner = await signIn(other.accountId);
    const { text: exported } = await exportAllData(owner);
    expect(exported).toContain(`"kind":"webhook_receiver","id":"${id}"`);
    expect(exported).toContain('"kind":"webhook_delivery"');
    for (const secret of [signing_secret, rotated]) expect(exported).not.toContain(secret);
    await deleteAllData(owner, "Test");
    expect(await listReceivers(accountsTable, other.accountId)).toEqual([]);
    expect(await readReceiverSecrets(accountsTable, { account_id: other.accountId, id })).toBeUndefined();
    const logs = serviceLogs();
    for (const secret of [signing_secret, rotated]) expect(logs.includes(secret)).toBe(false);
  });
});
