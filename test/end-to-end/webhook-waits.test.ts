// Webhooks that wait for hours, and receivers that are paused because they have failed for a day, over HTTP.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, inject, test, vi } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { receiverKey } from "../../lib/service/aws/table-keys.ts";
import { findJob } from "../../lib/service/jobs/job-store.ts";
import { automaticReceiverId } from "../../lib/service/receivers/receiver.ts";
import type { Webhook } from "../../lib/service/webhooks/webhook.ts";
import { replaceWebhook } from "../../lib/service/webhooks/webhook-store.ts";
import type { Schedule } from "../../lib/tools/local/scheduler/schedule.ts";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, openClient } from "../support/client.ts";
import { mailsTo } from "../support/mailbox.ts";

const { baseUrl, receiver: address, accountsTable, activityTable, scheduler } = inject("service");
const PATH = "/api/v1/webhooks/receivers";
const HOUR_MS = 60 * 60 * 1000;
const patience = { timeout: 20_000, interval: 200 };

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${client.key}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

/** Requests a capture whose webhook gets these answers. Resolves to its id. */
async function capture(name: string, answers: string): Promise<number> {
  const webhook_url = `${address}/to/${name}?answers=${answers}`;
  const small = { html: "x", viewport_width: 100, viewport_height: 100 };
  const { json } = await send("POST", "/api/v1/screenshot", { ...small, async: true, webhook_url });
  return json.request_id;
}

const webhookOf = async (id: number) =>
  (await findJob(activityTable, { account_id: client.accountId, id }, Date.now()))?.webhook ?? undefined;

/** Waits until an attempt of the webhook has failed, and then changes what is stored of it. */
async function afterFailure(id: number, change: Partial<Webhook>): Promise<void> {
  await vi.waitFor(async () => {
    const webhook = await webhookOf(id);
    if (!webhook || webhook.deliveries.length === 0 || webhook.is_in_flight) throw new Error("No attempt has failed.");
    const changed = { ...webhook, ...change, version: webhook.version + 1 };
    expect(await replaceWebhook(activityTable, { account_id: client.accountId, id, webhook }, changed)).toBe(true);
  }, patience);
}

const schedulesOf = async (id: number): Promise<Schedule[]> => {
  const all: Schedule[] = await (await fetch(`${scheduler}/local/schedules`)).json();
  return all.filter(({ Name }) => Name.startsWith(`${client.accountId}-${id}-`));
};

test("webhook: a retry in hours is a schedule, and is delivered once although Scheduler sends it twice", async () => {
  const name = `hours-${client.accountId}`;
  const id = await capture(name, "503,503,204");
  await afterFailure(id, { failures: 4, next_at: 1 }); // so that the next attempt is the fifth, an hour before the sixth
  const [schedule] = await vi.waitFor(async () => {
    const schedules = await schedulesOf(id);
    expect(schedules).toHaveLength(1);
    return schedules;
  }, patience);
  expect(schedule).toMatchObject({ ActionAfterCompletion: "DELETE", FlexibleTimeWindow: { Mode: "OFF" } });
  expect((await send("GET", `/api/v1/screenshot/${id}`)).json.webhook).toMatchObject({ status: "pending" });

  await afterFailure(id, { next_at: 1 }); // the clock of the functions can't be moved
  await fetch(`${scheduler}/local/clock`, { method: "POST", body: JSON.stringify({ advance_ms: 5 * HOUR_MS }) });
  await vi.waitFor(async () => expect(await webhookOf(id)).toMatchObject({ status: "delivered" }), patience);
  expect(await receivedAt(address, name)).toHaveLength(3);
});

test("webhook receiver: an origin whose webhooks fail for a day is paused, its owner is told, and resuming sends what was kept", async () => {
  client = await openClient();
  const email = `${client.accountId}@customer.example`;
  await updateKeyRing(accountsTable, client.accountId, (ring) => ({ ...ring, account: { ...ring.account, email } }));
  const [first, second] = [`day-${client.accountId}`, `later-${client.accountId}`];
  const failed = await capture(first, "503,503,204");
  await afterFailure(failed, { failures: 7 }); // its next attempt, in some seconds, is the last one
  const [listed] = (await send("GET", PATH)).json.data;
  const id = automaticReceiverId(address);
  expect(listed).toMatchObject({
    id,
    kind: "automatic",
    name: address,
    url: address,
    status: "active",
    paused_by: null,
  });
  expect(listed.failing_since).not.toBeNull();

  const since = new Date(Date.now() - 25 * HOUR_MS).toISOString();
  await dynamodb().send(
    new UpdateCommand({
      TableName: accountsTable,
      Key: receiverKey(client.accountId, id),
      UpdateExpression: "SET failing_since = :since, last_failure_at = :since, failing_minutes = :many",
      ExpressionAttributeValues: { ":since": since, ":many": 100 },
    }),
  );
  await vi.waitFor(async () => expect(await webhookOf(failed)).toMatchObject({ status: "paused" }), patience);
  expect((await send("GET", `${PATH}/${id}`)).json).toMatchObject({
    status: "paused",
    paused_by: "automatic",
    kept_events: 1,
  });
  const kept = await capture(second, "204");
  await vi.waitFor(
    async () => expect(await webhookOf(kept)).toMatchObject({ status: "paused", deliveries: [] }),
    patience,
  );
  const [mail] = await vi.waitFor(async () => {
    const mails = (await mailsTo(email)).filter(({ subject }) => subject.startsWith("Webhooks"));
    expect(mails).not.toEqual([]);
    return mails;
  }, patience);
  expect(mail?.text).toContain(`${baseUrl}/app/webhooks?receiver=${id}`);
  expect(mail?.text).not.toContain(first); // the path of the address

  expect((await send("POST", `${PATH}/${id}/resume`)).json).toMatchObject({ status: "active", paused_by: null });
  for (const each of [failed, kept]) {
    await vi.waitFor(async () => expect(await webhookOf(each)).toMatchObject({ status: "delivered" }), patience);
  }
  expect(await receivedAt(address, second)).toHaveLength(1);
});

test("webhook receiver: an automatic one can be paused and resumed, and has neither a secret nor a log", async () => {
  client = await openClient();
  await afterFailure(await capture(`automatic-${client.accountId}`, "503"), {});
  const one = `${PATH}/${automaticReceiverId(address)}`;
  expect((await send("POST", `${one}/pause`)).json).toMatchObject({ status: "paused", paused_by: "account" });
  expect((await send("POST", `${one}/resume`)).json).toMatchObject({ status: "active" });
  const refused = await Promise.all([
    send("GET", `${one}/secret`),
    send("GET", `${one}/deliveries`),
    send("POST", `${one}/rotate`, {}),
    send("POST", `${one}/test`),
    send("POST", `${one}/replay`, { since: new Date(Date.now() - HOUR_MS).toISOString() }),
    send("PATCH", one, { name: "Mine" }),
    send("DELETE", one),
  ]);
  for (const { status, json } of refused) {
    expect({ status, json }).toMatchObject({ status: 404, json: { error: expect.stringContaining("is automatic") } });
  }
  expect(
    (
      await send("POST", "/api/v1/screenshot", {
        html: "x",
        async: true,
        webhook_receiver: automaticReceiverId(address),
      })
    ).status,
  ).toBe(422);
});
