// Payments through the real functions: what the payment provider reports, the hourly run, and what the owner and the operator get of it.
import { beforeAll, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { putItem } from "../../lib/service/aws/items.ts";
import { billingRunKey } from "../../lib/service/aws/table-keys.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { openClient } from "../support/client.ts";
import { reportBillingEvent } from "../support/payment-page.ts";
import { OPERATOR_EVENTS } from "../support/running-service.ts";
import { runScheduled } from "../support/scheduled-functions.ts";
import { signIn } from "../support/signed-in.ts";

const service = inject("service");
const { baseUrl, operatorSecret: secret } = service;
beforeAll(() => useLocalData(service));

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** The types of the events that the operator got about an account. */
async function eventsOf(accountId: number): Promise<string[]> {
  const received = (await receivedAt(service.receiver, OPERATOR_EVENTS)).map(({ body }) => JSON.parse(body));
  return received.filter(({ account_id }) => account_id === accountId).map(({ type }) => type);
}

test("payments: an invoice closes, a payment of it fails and then succeeds, and the owner is told", async () => {
  const client = await openClient({ plan: "starter" });
  const account_id = client.accountId;
  const start = daysAgo(50);
  await updateKeyRing(service.accountsTable, account_id, (ring) => ({
    ...ring,
    account: { ...ring.account, created_at: start, billed_from: start },
  }));
  await putItem(service.usageTable, { ...billingRunKey, closed_until: Date.now() - 30 * DAY_MS });
  await runScheduled("BillingRun");
  await runScheduled("BillingRun"); // the invoice, which the first run found, is overdue
  await expect.poll(async () => (await eventsOf(account_id)).toSorted()).toEqual(["invoice.closed", "invoice.overdue"]);

  const owner = await signIn(account_id);
  const unpaid = async () => (await (await owner.request("GET", "/session")).json()).account.unpaid_invoices;
  expect(await unpaid()).toMatchObject([{ total: "1.00", payment_failed_at: null }]);
  const report = (event: Record<string, unknown>) => reportBillingEvent({ baseUrl, secret }, { account_id, ...event });
  await report({ type: "payment.failed", period_start: start, occurred_at: daysAgo(1) });
  expect(await unpaid()).toMatchObject([{ total: "1.00", payment_failed_at: expect.any(String) }]);
  await report({ type: "payment.succeeded", period_start: start });
  expect(await unpaid()).toEqual([]);
  const { data } = await (await client.get("/api/v1/account/invoices")).json();
  expect(data.at(-1)).toMatchObject({ status: "closed", payment: "paid", total: "1.00" });
});

test("payments: a plan that is set is in force for the next request, and a smaller one is scheduled and taken back", async () => {
  const client = await openClient({ plan: "starter" });
  const account_id = client.accountId;
  await reportBillingEvent({ baseUrl, secret }, { type: "plan.set", account_id, plan: "pro" });
  expect(await (await client.get("/api/v1/account")).json()).toMatchObject({ plan: "pro", scheduled_plan: null });
  const owner = await signIn(account_id);
  const change = (method: string, body?: object) => owner.request(method, "/api/v1/account/plan-change", body);
  expect(await (await change("POST", { plan: null })).json()).toMatchObject({ scheduled_plan: { plan: null } });
  expect(await (await change("DELETE")).json()).toMatchObject({ plan: "pro", scheduled_plan: null });
  expect((await change("POST", { plan: "max" })).status).toBe(409);
  await expect.poll(async () => (await eventsOf(account_id)).toSorted()).toEqual(["plan.cancelled", "plan.continued"]);
  const address = await owner.request("POST", "/api/v1/account/payment-address", { plan: "max" });
  expect(await address.json()).toMatchObject({
    url: expect.stringContaining(`?account=${account_id}&plan=max&period=`),
  });
});

test("payments: a call without a valid signature is refused, and so is a change by an API key", async () => {
  const { accountId: account_id, ...client } = await openClient({ plan: "starter" });
  const forged = { baseUrl, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
  await expect(reportBillingEvent(forged, { type: "plan.set", account_id, plan: "max" })).rejects.toThrow(/401/);
  expect(await (await client.get("/api/v1/account")).json()).toMatchObject({ plan: "starter" });
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
  const change = { method: "POST", headers, body: JSON.stringify({ plan: null }) };
  expect((await fetch(`${baseUrl}/api/v1/account/plan-change`, change)).status).toBe(403);
});
