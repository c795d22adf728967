// Model-based test of rate limit, quotas and invoices: after any history, the tables match the model, and nothing is
// rejected that the model allows.
import { randomUUID } from "node:crypto";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Credit, type PlanName, plans } from "../../../lib/contract/plans.ts";
import { accountState } from "../../../lib/service/account/account-state.ts";
import { changePlan } from "../../../lib/service/account/change-plan.ts";
import { effectiveLimits } from "../../../lib/service/account/limits.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { countRequest } from "../../../lib/service/account/rate-limit-store.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { periodKey } from "../../../lib/service/aws/table-keys.ts";
import { periodAt, periodsUntil } from "../../../lib/service/billing/billing-period.ts";
import { invoice } from "../../../lib/service/billing/invoice.ts";
import { readCounts, readPeriods } from "../../../lib/service/billing/period-store.ts";
import { allowanceFor, isTrialOver } from "../../../lib/service/billing/quota.ts";
import { readUsedQuota, reserveInPeriod, settleFree, settleSuccess } from "../../../lib/service/billing/quota-store.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type Capture, type Customer, countsOf, expectedBill, offers, takenOf } from "../../support/limits-model.ts";
import { aRateModel } from "../../support/rate-model.ts";
import { IS_SLOW_RUN } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const SEQUENCES = IS_SLOW_RUN ? 24 : 3;
const STEPS = 60;
const AT_ONCE = IS_SLOW_RUN ? 8 : SEQUENCES;

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const HOLD_MS = 3 * 60 * SECOND_MS;

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

/** Counts the interesting events, so that a run without them fails. */
const seen = {
  "captures of a trial": 0,
  "captures of a paid plan": 0,
  successes: 0,
  failures: 0,
  "ends after the reservation": 0,
  "ends after the period": 0,
  "ends told again": 0,
  "refusals by the rate limit": 0,
  "refusals for want of quota": 0,
  "refusals beyond the quota": 0,
  "refusals after the trial": 0,
  "quotas nearly used up": 0,
  "first paid plans": 0,
  "changes of a paid plan": 0,
  "invoices with overage": 0,
  "invoices by several paid plans": 0,
};
const see = (what: keyof typeof seen) => {
  seen[what]++;
};

interface World {
  readonly customers: readonly Customer[];
  readonly random: () => number;
  now: number;
}

const chance = ({ random }: World, probability: number) => random() < probability;
const below = ({ random }: World, count: number) => Math.floor(random() * count);
function oneOf<T>(world: World, values: readonly T[]): T {
  const value = values[below(world, values.length)];
  if (value === undefined) throw new RangeError("There is nothing to choose from.");
  return value;
}

/** Requests a capture like the service does; it stays in progress until it is settled, or forever. */
async function startCapture({ now }: World, customer: Customer, credit: Credit) {
  const { account, captures, rates } = customer;
  const { requests } = offers[account.plan];
  const rate = rates.get(requests) ?? aRateModel(requests);
  rates.set(requests, rate);
  const { usage } = running.tables;
  const counted = await countRequest(usage, { accountId: account.id, keyId: 7, limit: requests, now });
  expect(counted).toEqual(rate.send(now));
  if (!counted.isAdmitted) return see("refusals by the rate limit");

  const period = periodAt(account, now);
  const requestId = createId(now, 0) + (captures.length % 4096);
  const allowance = allowanceFor(
    { accountId: account.id, attempt: String(requestId), period, credit },
    plans[account.plan],
  );
  const capture: Capture = { allowance, attempt: randomUUID(), until: now + HOLD_MS, fate: "under way" };
  if (account.plan !== "free") {
    expect(allowance.isCapped).toBe(false);
    captures.push(capture);
    return see("captures of a paid plan");
  }
  const taken = takenOf(customer, period, credit, now);
  const isOver = now >= Date.parse(account.created_at) + 7 * DAY_MS;
  expect(isTrialOver(allowance, now)).toBe(isOver);
  if (isOver) {
    expect(await readUsedQuota(usage, allowance, now)).toBe(taken);
    return see("refusals after the trial");
  }
  const reserved = await reserveInPeriod(usage, [allowance], { now, until: capture.until });
  const isLeft = taken < offers.free[credit];
  // Expired reservations of others may still count where something is left.
  expect(reserved).toMatchObject({ taken: isLeft ? expect.any(Number) : taken, isReserved: isLeft });
  if (!isLeft) return see(taken > offers.free[credit] ? "refusals beyond the quota" : "refusals for want of quota");
  captures.push(capture);
  return see("captures of a trial");
}

/** Ends a capture: recorded once, twice concurrently, or again. */
async function settle(world: World, capture: Capture) {
  const { allowance, attempt } = capture;
  if (capture.fate !== "under way") see("ends told again");
  else {
    if (capture.until <= world.now && allowance.isCapped) see("ends after the reservation");
    if (Date.parse(allowance.period.end) <= world.now) see("ends after the period");
    capture.fate = chance(world, 0.7) ? "success" : "failed";
    see(capture.fate === "success" ? "successes" : "failures");
  }
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: allowance.accountId, status: capture.fate });
  const { tables } = running;
  const settle = capture.fate === "success" ? settleSuccess : settleFree;
  const { items, billedIncrements } = settle(tables.usage, allowance);
  const deliver = () =>
    recordCapture(
      { ...tables, retentionDays: 400 },
      { preferredId: Number(allowance.attempt), attempt, event, billedIncrements, shard: below(world, 3) },
      items,
    );
  await Promise.all(chance(world, 0.3) ? [deliver(), deliver()] : [deliver()]);
}

/** Uses up all but a few of the quota directly, instead of making 20,000 captures. */
async function nearlyUseUp(world: World, customer: Customer, credit: Credit) {
  const { account, before } = customer;
  const period = periodAt(account, world.now);
  const offer = offers[account.plan];
  const counts = countsOf(customer, period);
  const used =
    account.plan === "free"
      ? takenOf(customer, period, credit, world.now)
      : "captures" in offer
        ? counts.screenshots + counts.videos
        : counts[credit];
  const count = ("captures" in offer ? offer.captures : offer[credit]) - used - below(world, 4);
  if (count <= 0) return;
  see("quotas nearly used up");
  before.push({ start: period.start, credit, count });
  await dynamodb().send(
    new UpdateCommand({
      TableName: running.tables.usage,
      Key: periodKey(account.id, period.start),
      UpdateExpression: `ADD ${credit} :count${account.plan === "free" ? `, taken_${credit} :count` : ""}`,
      ExpressionAttributeValues: { ":count": count },
    }),
  );
}

/** Exhausts the quota by captures that outlive their reservations, exhausts it again, and then ends them. */
async function overstay(world: World, customer: Customer, credit: Credit) {
  await nearlyUseUp(world, customer, credit);
  await startCaptures(world, customer, credit, 4);
  world.now += HOLD_MS;
  const late = customer.captures.filter(({ fate }) => fate === "under way").slice(-4);
  await startCaptures(world, customer, credit, 4);
  for (const capture of late) await settle(world, capture);
  await startCaptures(world, customer, credit, 1);
}

async function startCaptures(world: World, customer: Customer, credit: Credit, count: number) {
  for (let index = 0; index < count; index++) await startCapture(world, customer, credit);
}

async function changeToAnother(world: World, customer: Customer) {
  const { now } = world;
  const plan = oneOf(world, ["starter", "pro", "max"] as const);
  see(customer.account.billed_from === null ? "first paid plans" : "changes of a paid plan");
  customer.plans.push({ from: now, plan });
  customer.account = (await changePlan(running.tables, { accountId: customer.account.id, plan, now })).account;
  expect(customer.account.plan).toBe(plan);
}

/** Advances the clock: a moment, to the edge of a minute, a reservation or a period, or by months. */
function letTimePass(world: World) {
  const { account, captures } = oneOf(world, world.customers);
  const toTheEnd = Date.parse(periodAt(account, world.now).end) - world.now;
  const [held] = captures.filter(({ fate, until }) => fate === "under way" && until > world.now);
  const short = [
    () => below(world, 1500),
    () => below(world, 20) * SECOND_MS,
    () => (59 + below(world, 4)) * SECOND_MS,
    () => (held ? held.until - world.now - 1 + below(world, 3) : 0),
  ];
  const long = [
    () => below(world, 30) * HOUR_MS,
    () => toTheEnd - 1 + below(world, 3),
    () => (20 + below(world, 50)) * DAY_MS,
  ];
  const wait = oneOf(world, chance(world, 0.75) ? short : long)();
  world.now += Math.max(0, wait);
}

/** Everything the API shows to an account. */
async function compare({ now }: World, customer: Customer) {
  const { account } = customer;
  const { usage } = running.tables;
  const period = periodAt(account, now);
  const counts = await readCounts(usage, account.id, period);
  expect(counts).toEqual(countsOf(customer, period));

  const bill = expectedBill(customer, period, now);
  const isOver = account.plan === "free" && now >= Date.parse(period.end);
  const left = Object.entries(bill.quotas).map(([name, { limit, used, remaining }]) => [
    name,
    { limit, used, remaining: isOver ? 0 : remaining },
  ]);
  const limits = effectiveLimits(account, now);
  expect(accountState(account, { period, counts, usedFailures: 0, limits, now })).toMatchObject({
    plan: bill.plan,
    trial: account.plan === "free" ? { ends_at: period.end, is_over: isOver } : null,
    billing_period: { start: period.start, end: period.end },
    quotas: Object.fromEntries(left),
    overage: { units: bill.units, amount: bill.amount },
    total: bill.total,
    rate_limit: { limit: offers[account.plan].requests },
  });

  const reported = (await readPeriods(usage, account, now)).map(({ period: each, ...record }) => {
    const { plan, status, quotas, overage, total } = invoice(each, { ...record, now });
    return { start: each.start, status, plan, quotas, units: overage.units, amount: overage.amount, total };
  });
  const expected = periodsUntil(account, now).map((each) => expectedBill(customer, each, now));
  expect(reported).toEqual(expected.reverse());
  if (reported.some(({ units }) => units > 0)) see("invoices with overage");
  if (new Set(reported.map(({ plan }) => plan)).size > 2) see("invoices by several paid plans");
}

async function step(world: World) {
  const customer = oneOf(world, world.customers);
  const credit = chance(world, 0.6) ? "screenshots" : "videos";
  const kind = world.random();
  if (kind < 0.34) return startCapture(world, customer, credit);
  if (kind < 0.38) return startCaptures(world, customer, credit, 12);
  if (kind < 0.41) return overstay(world, customer, credit);
  if (kind < 0.64) {
    const underWay = customer.captures.filter(({ fate }) => fate === "under way");
    const choice = chance(world, 0.8) ? underWay : customer.captures;
    if (choice.length > 0) await settle(world, oneOf(world, choice));
    return;
  }
  if (kind < 0.84) return letTimePass(world);
  if (kind < 0.9) return nearlyUseUp(world, customer, credit);
  if (kind < 0.93) return changeToAnother(world, customer);
  return compare(world, customer);
}

async function anEmptyWorld(seed: number): Promise<World> {
  const random = seededRandom(seed);
  const now = Date.UTC(2026, 0, 25) + Math.floor(random() * 10 * DAY_MS);
  const openOne = async (plan: PlanName): Promise<Customer> => {
    const { ring } = await openAccount(running.tables.accounts, { plan, label: "A customer", now });
    return { account: ring.account, captures: [], before: [], plans: [{ from: now, plan }], rates: new Map() };
  };
  return { customers: [await openOne("free"), await openOne(seed % 2 ? "free" : "starter")], random, now };
}

async function live(seed: number) {
  const world = await anEmptyWorld(seed);
  let steps = 0;
  try {
    for (; steps < STEPS; steps++) await step(world);
    for (const customer of world.customers) await compare(world, customer);
  } catch (error) {
    throw new Error(`Sequence ${seed} differs from the model after ${steps} steps.`, { cause: error });
  }
}

test("limits model: for every random history of an account, limits and invoices match the model", {
  timeout: 120_000,
}, async () => {
  for (let seed = 0; seed < SEQUENCES; seed += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => live(seed + index)));
  }
  // Few histories don't have every event.
  if (IS_SLOW_RUN) expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([]);
});
