// POST /api/v1/webhooks/test: a test event to a receiver of webhooks.
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, inject, test } from "vitest";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { signIn } from "../support/signed-in.ts";

const { receiver, site } = inject("service");
let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const send = (body: object) => sendWith(client, "POST", "/api/v1/webhooks/test", { body });

test("webhook test: arrives with a signature that the receiver can verify, and is answered with what was sent", async () => {
  const name = `test-${client.accountId}`;
  const answer = await (await send({ webhook_url: `${receiver}/to/${name}` })).json();
  expect(answer).toMatchObject({ is_delivered: true, delivery: { http_status_code: 204, error: null } });
  const [received] = await receivedAt(receiver, name);
  const headers = received?.headers as Record<string, string>;
  expect(new Webhook(client.signingSecret).verify(received?.body ?? "", headers)).toMatchObject({ type: "test" });
  expect(answer.request.body).toBe(received?.body);
  expect(answer.request.headers["webhook-signature"]).toBe(headers["webhook-signature"]);
});

test("webhook test: a receiver that refuses it is quoted", async () => {
  const answer = await (await send({ webhook_url: `${site}/nothing-here` })).json();
  expect(answer).toMatchObject({
    is_delivered: false,
    delivery: { http_status_code: 404, error: "The receiver answered with 404 instead of 2xx." },
  });
  expect(answer.delivery.response_excerpt).toEqual(expect.any(String));
});

test("webhook test: is unsigned on request", async () => {
  const webhook_url = `${receiver}/to/unsigned-${client.accountId}`;
  const { request } = await (await send({ webhook_url, webhook_sign: false })).json();
  expect(Object.keys(request.headers)).not.toContain("webhook-signature");
});

test("webhook test: a private address is refused", async () => {
  expect((await send({ webhook_url: "https://169.254.169.254/" })).status).toBe(422);
});

test("webhook test: a session's is signed by a key of the account", async () => {
  const owner = await signIn(client.accountId);
  const webhook_url = `${receiver}/to/session-${client.accountId}`;
  const { request } = await (await owner.request("POST", "/api/v1/webhooks/test", { webhook_url })).json();
  expect(new Webhook(client.signingSecret).verify(request.body, request.headers)).toMatchObject({ type: "test" });
});
