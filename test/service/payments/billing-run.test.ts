// The billing run: invoices close once, overdue ones are reminded of, and an account is suspended for one only where the operator wants it.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readKeyRing } from "../../../lib/service/account/account-store.ts";
import { changePlan } from "../../../lib/service/account/change-plan.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { invoicesOf } from "../../../lib/service/billing/invoice-list.ts";
import { mailText } from "../../../lib/service/mail/mail-text.ts";
import { auditPages } from "../../../lib/service/operator/audit-log.ts";
import { readOperatorEvents } from "../../../lib/service/operator-events/event-store.ts";
import { applyBillingEvent } from "../../../lib/service/payments/apply-event.ts";
import type { BillingEvent } from "../../../lib/service/payments/billing-event.ts";
import { checkBilling, runBilling } from "../../../lib/service/payments/billing-run.ts";
import { paymentMail } from "../../../lib/service/payments/payment-notice.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
  vi.stubEnv("WEBHOOK_QUEUE_URL", running.env.WEBHOOK_QUEUE_URL);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await running.close();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubEnv("OVERDUE_AFTER_DAYS", "14");
  vi.stubEnv("SUSPEND_OVERDUE_AFTER_DAYS", "30");
});
afterEach(() => void vi.useRealTimers());

function at(time: string): number {
  vi.setSystemTime(time);
  return Date.now();
}

let calls = 0;

/** An account with the plan Starter from a time on, whose runs are from its first day on. */
async function aCustomer(time: string) {
  const now = at(time);
  await runBilling(running.env, now);
  const { ACCOUNTS_TABLE: accounts, USAGE_TABLE: usage, ACTIVITY_TABLE } = running.env;
  const { ring } = await openAccount(accounts, { plan: "starter", label: "A customer", now });
  const accountId = ring.account.id;
  const account = async () => (await readKeyRing(accounts, accountId)).account;
  return {
    accountId,
    start: new Date(now).toISOString(),
    account,
    setPlan: (plan: "pro") => changePlan({ accounts, usage }, { accountId, plan, now: Date.now() }),
    invoices: async () => invoicesOf(usage)(await account(), Date.now()),
    run: (moment: string) => runBilling(running.env, at(moment)),
    report: (event: Omit<BillingEvent, "account_id">, id = `call-${++calls}`) =>
      applyBillingEvent(
        { id, event: { ...event, account_id: accountId }, from: "192.0.2.1", now: Date.now() },
        running.env,
      ),
    async events() {
      const { events } = await readOperatorEvents(ACTIVITY_TABLE, { pageSize: 100, now: Date.now() });
      return events
        .filter(({ account_id }) => account_id === accountId)
        .map(({ type }) => type)
        .toSorted();
    },
    async audited() {
      const actions: string[] = [];
      for await (const page of auditPages(ACTIVITY_TABLE, { pageSize: 100, now: Date.now() }))
        actions.push(...page.filter(({ account_id }) => account_id === accountId).map(({ action }) => action));
      return actions.toSorted();
    },
  };
}

describe("billing run", () => {
  test("closes the invoice of a period once, 15 minutes after it", async () => {
    const customer = await aCustomer("2026-02-10T08:00:00.000Z");
    await customer.run("2026-03-10T08:14:59.000Z");
    expect(await customer.events()).toEqual([]);
    expect(await customer.run("2026-03-10T08:15:00.000Z")).toMatchObject({ closed: 1, failed: 0 });
    await customer.run("2026-03-10T09:00:00.000Z");
    expect(await customer.events()).toEqual(["invoice.closed"]);
    expect((await customer.account()).unpaid_invoices).toEqual([
      { start: customer.start, end: "2026-03-10T08:00:00.000Z", total: "1.00" },
    ]);
    expect((await customer.invoices()).at(-1)).toMatchObject({
      status: "closed",
      payment: "unpaid",
      due_at: "2026-03-24T08:00:00.000Z",
    });
  });

  test("closes what ended while no run took place", async () => {
    const customer = await aCustomer("2026-04-10T08:00:00.000Z");
    expect(await customer.run("2026-07-01T00:00:00.000Z")).toMatchObject({ failed: 0 });
    expect(await customer.run("2026-07-01T01:00:00.000Z")).toMatchObject({ failed: 0 });
    expect(await customer.events()).toEqual(["invoice.closed", "invoice.closed", "invoice.overdue", "invoice.overdue"]);
  });

  test("reminds of an overdue invoice once, then suspends the account, which a payment resumes", async () => {
    const customer = await aCustomer("2027-01-10T08:00:00.000Z");
    await customer.run("2027-02-10T09:00:00.000Z");
    await customer.run("2027-02-24T07:59:59.000Z");
    expect(await customer.events()).toEqual(["invoice.closed"]);
    await customer.run("2027-02-24T08:00:00.000Z");
    await customer.run("2027-02-24T09:00:00.000Z");
    expect(await customer.events()).toEqual(["invoice.closed", "invoice.overdue"]);
    await customer.run("2027-03-12T07:00:00.000Z");
    expect((await customer.account()).suspension).toBeUndefined();
    await customer.run("2027-03-12T08:00:00.000Z");
    expect((await customer.account()).suspension).toMatchObject({
      reason: `The invoice ${customer.accountId}-2027-01-10 of $1.00 is not paid. A payment ends the suspension.`,
      is_for_payment: true,
    });
    const paid = {
      type: "payment.succeeded",
      period_start: customer.start,
      occurred_at: "2027-03-12T10:00:00.000Z",
      reference: "in_1",
    } as const;
    expect(await customer.report(paid, "paid-1")).toEqual({ applied: true, isReplay: false });
    expect((await customer.account()).suspension).toBeUndefined();
    expect((await customer.invoices()).at(-1)).toMatchObject({ payment: "paid", due_at: null });
    expect(await customer.report(paid, "paid-1")).toEqual({ applied: true, isReplay: true });
    expect(await customer.audited()).toEqual(["account.resumed", "account.suspended", "invoice.payment_recorded"]);
  });

  test("suspends no account where the setting is missing", async () => {
    vi.stubEnv("SUSPEND_OVERDUE_AFTER_DAYS", "");
    const customer = await aCustomer("2027-05-10T08:00:00.000Z");
    await customer.run("2027-12-01T00:00:00.000Z");
    expect((await customer.account()).unpaid_invoices).toHaveLength(6);
    expect((await customer.account()).suspension).toBeUndefined();
  });

  test("records no payments where the setting is missing, and still closes invoices", async () => {
    vi.stubEnv("OVERDUE_AFTER_DAYS", "");
    const customer = await aCustomer("2028-01-10T08:00:00.000Z");
    await customer.run("2028-03-01T00:00:00.000Z");
    expect(await customer.events()).toEqual(["invoice.closed"]);
    expect((await customer.account()).unpaid_invoices).toBeUndefined();
    expect((await customer.invoices()).at(-1)).toMatchObject({ payment: null, due_at: null });
  });

  test("checks a new version without a change", async () => {
    await expect(checkBilling(running.env)).resolves.toBeUndefined();
  });
});

describe("payments", () => {
  test("of the same invoice are in the order of their times, also when they arrive in another one", async () => {
    const customer = await aCustomer("2028-06-10T08:00:00.000Z");
    await customer.run("2028-07-10T09:00:00.000Z");
    const event = (type: "payment.failed" | "payment.succeeded" | "payment.voided", occurred_at: string) =>
      customer.report({ type, period_start: customer.start, occurred_at });
    expect(await event("payment.failed", "2028-07-11T10:00:00.000Z")).toMatchObject({ applied: true });
    expect((await customer.invoices()).at(-1)).toMatchObject({
      payment: "unpaid",
      payment_failed_at: "2028-07-11T10:00:00.000Z",
    });
    expect((await customer.account()).unpaid_invoices).toMatchObject([{ failed_at: "2028-07-11T10:00:00.000Z" }]);
    expect(await event("payment.succeeded", "2028-07-12T10:00:00.000Z")).toMatchObject({ applied: true });
    expect(await event("payment.failed", "2028-07-11T12:00:00.000Z")).toMatchObject({ applied: false });
    expect((await customer.invoices()).at(-1)).toMatchObject({ payment: "paid", payment_failed_at: null });
    expect((await customer.account()).unpaid_invoices).toBeUndefined();
  });

  test("are refused for an invoice that is open, and for a period that the account doesn't have", async () => {
    const customer = await aCustomer("2028-09-10T08:00:00.000Z");
    const pay = (period_start: string) =>
      customer.report({ type: "payment.succeeded", period_start, occurred_at: "2028-09-11T00:00:00.000Z" });
    await expect(pay(customer.start)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(pay("2020-01-01T00:00:00.000Z")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("set plans: a larger one at once, a smaller one and none at the end of the period, and none from before", async () => {
    const customer = await aCustomer("2028-11-10T08:00:00.000Z");
    const set = (plan: BillingEvent["plan"], occurred_at: string) =>
      customer.report({ type: "plan.set", occurred_at, ...(plan !== undefined && { plan }) });
    await set("pro", "2028-11-11T00:00:00.000Z");
    expect(await customer.account()).toMatchObject({ plan: "pro" });
    await set("starter", "2028-11-12T00:00:00.000Z");
    expect(await customer.account()).toMatchObject({
      plan: "pro",
      scheduled_plan: { plan: "starter", at: "2028-12-10T08:00:00.000Z" },
    });
    await set(null, "2028-11-13T00:00:00.000Z");
    expect(await customer.account()).toMatchObject({ scheduled_plan: { plan: null } });
    expect(await set("max", "2028-11-12T12:00:00.000Z")).toMatchObject({ applied: false });
    expect(await customer.account()).toMatchObject({ plan: "pro", scheduled_plan: { plan: null } });
  });

  test("an id that was used for another event is a conflict", async () => {
    const customer = await aCustomer("2029-01-10T08:00:00.000Z");
    const set = (plan: "pro" | "max") =>
      customer.report({ type: "plan.set", plan, occurred_at: "2029-01-11T00:00:00.000Z" }, "same");
    await set("pro");
    await expect(set("max")).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("the mail about one that failed has the amount, when it is due, and when the account is suspended", () => {
    const invoice = { start: "2026-01-10T08:00:00.000Z", end: "2026-02-10T08:00:00.000Z", total: "12.60" };
    const mail = paymentMail("failed", invoice, {
      accountId: 7,
      baseUrl: "https://captures.example",
      terms: { overdueAfterDays: 14, suspendAfterDays: 30 },
    });
    const text = mailText(mail);
    expect(mail.subject).toBe("The payment of $12.60 failed");
    expect(text).toContain("The invoice 7-2026-01-10 ");
    expect(text).toContain("due on February 24, 2026");
    expect(text).toContain("by March 12, 2026");
    expect(text).toContain("https://captures.example/app/billing");
  });
});
