// Events for the operator, through real queues and functions: from the owner's request to the signed webhook, and to the operator's list.
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, inject, test } from "vitest";
import { operatorSecrets } from "../../lib/service/operator-events/operator-secret.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { type Received, receivedAt } from "../fixtures/webhook-receiver.ts";
import { openClient } from "../support/client.ts";
import { type SignedInOperator, signInOperator } from "../support/operator.ts";
import { OPERATOR_EVENTS } from "../support/running-service.ts";
import { signIn } from "../support/signed-in.ts";

const service = inject("service");
let operator: SignedInOperator;
beforeAll(async () => {
  useLocalData(service);
  operator = await signInOperator();
});

/** The webhooks about an account. */
async function receivedOf(accountId: number): Promise<Received[]> {
  const received = await receivedAt(service.receiver, OPERATOR_EVENTS);
  return received.filter(({ body }) => JSON.parse(body).account_id === accountId);
}

/** The events of an account on the first page of the operator's list. */
async function eventsOf(accountId: number) {
  const { data } = (await (await operator.request("GET", "events")).json()) as {
    data: { id: string; type: string; account_id: number; delivery: { status: string; attempts: number } }[];
  };
  return data.filter(({ account_id }) => account_id === accountId);
}

test("operator events: a request for another plan is a signed webhook, is listed as delivered, and can be sent again", async () => {
  const client = await openClient({ plan: "starter" });
  const owner = await signIn(client.accountId);
  const ask = (requested_plan: string | null) => owner.request("PATCH", "/api/v1/account/settings", { requested_plan });
  await ask("pro");
  await ask("pro");
  await ask(null);
  await expect.poll(async () => (await receivedOf(client.accountId)).length).toBe(1);
  const [webhook] = await receivedOf(client.accountId);
  const [secret = ""] = await operatorSecrets(service.accountsTable, Date.now());
  const event = new Webhook(secret).verify(webhook?.body ?? "", webhook?.headers as Record<string, string>);
  expect(event).toMatchObject({
    type: "plan.requested",
    data: { account: { label: "Test", email: null }, from: "starter", plan: "pro" },
  });

  const isDelivered = { status: "delivered", attempts: 1, http_status_code: 204, error: null };
  await expect
    .poll(() => eventsOf(client.accountId))
    .toEqual([expect.objectContaining({ type: "plan.requested", delivery: expect.objectContaining(isDelivered) })]);
  const [{ id } = { id: "" }] = await eventsOf(client.accountId);
  expect((await operator.request("POST", `events/${id}/send`, {})).status).toBe(202);
  await expect.poll(async () => (await receivedOf(client.accountId)).length).toBe(2);
  const ids = (await receivedOf(client.accountId)).map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([id, id]);
  const audit = (await (await operator.request("GET", "audit")).json()) as { data: object[] };
  expect(audit.data).toContainEqual(
    expect.objectContaining({
      action: "event.sent_again",
      account_id: client.accountId,
      details: { event: id, type: "plan.requested" },
    }),
  );
});

test("operator events: an unknown one can't be sent, and no customer sees or sends one", async () => {
  for (const id of [`evt_${"0".repeat(32)}`, "x"])
    expect((await operator.request("POST", `events/${id}/send`, {})).status).toBe(404);
  const client = await openClient();
  for (const [method, path] of [
    ["GET", "/operator/api/events"],
    ["POST", `/operator/api/events/evt_${"0".repeat(32)}/send`],
  ] as const) {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${client.key}` },
    });
    expect(response.status).toBe(404);
  }
});
