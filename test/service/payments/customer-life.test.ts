// The life of a customer on a test clock: trial, plan, overage, a larger plan, a smaller one, cancellation, return. Each cent is added by hand.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { PlanName } from "../../../lib/contract/plans.ts";
import { accountState } from "../../../lib/service/account/account-state.ts";
import { findCaller, readKeyRing } from "../../../lib/service/account/account-store.ts";
import { changePlan, schedulePlan, withdrawScheduledPlan } from "../../../lib/service/account/change-plan.ts";
import { effectiveLimits } from "../../../lib/service/account/limits.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { updateItem } from "../../../lib/service/aws/items.ts";
import { periodKey } from "../../../lib/service/aws/table-keys.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { invoicesOf } from "../../../lib/service/billing/invoice-list.ts";
import { invoicePage } from "../../../lib/service/billing/invoice-page.ts";
import { readCounts } from "../../../lib/service/billing/period-store.ts";
import { isTrialOver } from "../../../lib/service/billing/quota.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const tables = () => ({ accounts: running.env.ACCOUNTS_TABLE, usage: running.env.USAGE_TABLE });

/** Sets the clock, which is the same for all that reads it. */
function at(time: string): number {
  vi.setSystemTime(time);
  return Date.now();
}

async function signUp(time: string) {
  const now = at(time);
  const { ring, apiKey } = await openAccount(tables().accounts, { plan: "free", label: "A customer", now });
  const accountId = ring.account.id;
  const account = async () => (await readKeyRing(tables().accounts, accountId)).account;
  return {
    accountId,
    account,
    /** The account as a request with its API key finds it. */
    caller: async () => (await findCaller(tables().accounts, apiKey.hash))?.account,
    setPlan: (plan: PlanName) => changePlan(tables(), { accountId, plan, now: Date.now() }),
    schedule: (plan: PlanName | null) => schedulePlan(tables(), { accountId, plan, now: Date.now() }),
    keep: () => withdrawScheduledPlan(tables(), accountId),
    async capture(counts: { screenshots?: number; videos?: number }) {
      const { start } = periodAt(await account(), Date.now());
      const { screenshots = 0, videos = 0 } = counts;
      const values = { ":screenshots": screenshots, ":videos": videos };
      await updateItem(tables().usage, periodKey(accountId, start), {
        update: "ADD screenshots :screenshots, videos :videos",
        values,
      });
    },
    /** What `GET /account` answers. */
    async state() {
      const [facts, now] = [await account(), Date.now()];
      const period = periodAt(facts, now);
      const counts = await readCounts(tables().usage, accountId, period);
      return accountState(facts, { period, counts, usedFailures: 0, limits: effectiveLimits(facts, now), now });
    },
    /** First day, plan, and total of each invoice, newest first. */
    async bills() {
      const invoices = await invoicesOf(tables().usage)(await account(), Date.now());
      return invoices.map(({ period, plan, total }) => `${period.start.slice(0, 10)} ${plan} ${total}`);
    },
  };
}

describe("a customer's life", () => {
  test("is billed to the cent", async () => {
    const customer = await signUp("2026-01-10T08:00:00.000Z");
    expect(await customer.state()).toMatchObject({
      plan: "free",
      trial: { ends_at: "2026-01-17T08:00:00.000Z", is_over: false },
    });
    await customer.capture({ screenshots: 300 });

    at("2026-01-17T08:00:00.000Z");
    expect(await customer.state()).toMatchObject({ trial: { is_over: true }, quotas: { videos: { remaining: 0 } } });

    // The first month of the first plan is $1.00, and 100 screenshots and 10 videos beyond the quota are 110 × $0.005 = $0.55.
    at("2026-01-20T10:00:00.000Z");
    await customer.setPlan("starter");
    await customer.capture({ screenshots: 5_100, videos: 160 });
    expect(await customer.state()).toMatchObject({ overage: { units: 110, amount: "0.55" }, total: "1.55" });

    // A larger plan in the middle of a period bills all of it: $49.00, and 4 captures beyond 20,000 are 4 × $0.0035 = $0.014, so $0.01.
    at("2026-03-01T00:00:00.000Z");
    await customer.capture({ screenshots: 6_000 });
    expect(await customer.state()).toMatchObject({ plan: "starter", total: "17.00" }); // $12.00 and 1,000 × $0.005
    at("2026-03-05T00:00:00.000Z");
    await customer.setPlan("pro");
    expect(await customer.state()).toMatchObject({ plan: "pro", total: "49.00" });
    await customer.capture({ screenshots: 14_000, videos: 4 });

    // A smaller plan begins with the next period: this one stays $49.00.
    at("2026-04-01T00:00:00.000Z");
    await customer.capture({ screenshots: 7_000 });
    await customer.schedule("starter");
    expect(await customer.state()).toMatchObject({
      plan: "pro",
      total: "49.00",
      scheduled_plan: { plan: "starter", at: "2026-04-20T10:00:00.000Z" },
    });

    // One capture beyond the smaller plan's quota is $0.005, which is charged as $0.01.
    at("2026-04-20T10:00:00.000Z");
    expect(await customer.caller()).toMatchObject({ plan: "starter" });
    await customer.capture({ screenshots: 5_001 });
    expect(await customer.state()).toMatchObject({ plan: "starter", scheduled_plan: null, total: "12.01" });

    // A cancellation ends the plan with the period, and can be withdrawn until then.
    at("2026-05-01T00:00:00.000Z");
    await customer.schedule(null);
    expect(await customer.state()).toMatchObject({
      plan: "starter",
      scheduled_plan: { plan: null, at: "2026-05-20T10:00:00.000Z" },
    });
    await customer.keep();
    expect(await customer.state()).toMatchObject({ scheduled_plan: null });
    await customer.schedule(null);
    at("2026-05-20T09:59:59.999Z");
    expect(await customer.state()).toMatchObject({ plan: "starter", plan_ended_at: null });
    at("2026-05-20T10:00:00.000Z");
    expect(await customer.state()).toMatchObject({
      plan: "free",
      trial: null,
      plan_ended_at: "2026-05-20T10:00:00.000Z",
      quotas: { screenshots: { limit: 0, remaining: 0 } },
      total: "0.00",
    });
    expect(await customer.caller()).toMatchObject({ plan: "free", billed_from: null });

    // Nothing is billed until the customer returns, and then no first month is cheaper: $12.00 for each.
    at("2026-07-31T12:00:00.000Z");
    await customer.setPlan("starter");
    expect(await customer.state()).toMatchObject({ plan: "starter", plan_ended_at: null, total: "12.00" });
    at("2026-09-01T00:00:00.000Z");
    expect(await customer.bills()).toEqual([
      "2026-08-31 starter 12.00",
      "2026-07-31 starter 12.00",
      "2026-04-20 starter 12.01",
      "2026-03-20 pro 49.00",
      "2026-02-20 pro 49.01",
      "2026-01-20 starter 1.55",
      "2026-01-10 free 0.00",
    ]);
  });

  test("is billed the same when nothing was read for months after a smaller plan and a cancellation were scheduled", async () => {
    const customer = await signUp("2026-01-10T08:00:00.000Z");
    await customer.setPlan("max");
    at("2026-01-31T00:00:00.000Z");
    await customer.schedule("pro");
    at("2026-03-15T00:00:00.000Z");
    await customer.schedule(null);
    at("2027-01-01T00:00:00.000Z");
    expect(await customer.bills()).toEqual(["2026-03-10 pro 49.00", "2026-02-10 pro 49.00", "2026-01-10 max 129.00"]);
  });

  test("has an invoice in each place that shows the same period, plan, and amounts", async () => {
    const customer = await signUp("2026-01-10T08:00:00.000Z");
    await customer.setPlan("starter");
    await customer.capture({ screenshots: 5_100 });
    const [invoice] = await invoicesOf(tables().usage)(await customer.account(), Date.now());
    const { billing_period, total, overage, price } = await customer.state();
    expect(invoice).toMatchObject({ period: billing_period, total, overage, price });
    const page = invoicePage(invoice as NonNullable<typeof invoice>, {
      service: "https://captures.example",
      account: await customer.account(),
    });
    expect(page).not.toContain("Payment"); // none are recorded
    for (const text of ["January 10, 2026 – February 10, 2026", "$0.50", "$1.50", "Starter plan"])
      expect(page).toContain(text);
  });
});

describe("a scheduled plan", () => {
  test("is refused if it isn't smaller, and without a paid plan", async () => {
    const customer = await signUp("2026-01-10T08:00:00.000Z");
    await expect(customer.schedule(null)).rejects.toMatchObject({ code: "CONFLICT" });
    await customer.setPlan("pro");
    for (const plan of ["pro", "max"] as const)
      await expect(customer.schedule(plan)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await customer.schedule("starter")).account.scheduled_plan?.plan).toBe("starter");
  });

  test("is replaced by a larger plan that begins at once", async () => {
    const customer = await signUp("2026-01-10T08:00:00.000Z");
    await customer.setPlan("pro");
    await customer.schedule(null);
    await customer.setPlan("max");
    at("2026-03-01T00:00:00.000Z");
    expect(await customer.state()).toMatchObject({ plan: "max", scheduled_plan: null });
  });

  test("that is due is no trial again", async () => {
    const customer = await signUp("2026-01-10T08:00:00.000Z");
    await customer.setPlan("pro");
    await customer.schedule(null);
    const now = at("2026-03-01T00:00:00.000Z");
    await expect(customer.setPlan("free")).rejects.toThrow(RangeError);
    expect(isTrialOver({ period: periodAt(await customer.account(), now) }, now)).toBe(true);
  });
});
