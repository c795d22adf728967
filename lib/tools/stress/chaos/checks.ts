// The checks after a chaos run, through the API and in the tables. Each problem is one sentence.
import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../../../service/aws/clients/dynamodb.ts";
import { jobSlotsKey, jobsPartition, periodKey } from "../../../service/aws/table-keys.ts";
import { periodAt } from "../../../service/billing/billing-period.ts";
import { readCounts } from "../../../service/billing/period-store.ts";
import { hasEnded, hasPendingWebhook, type Job } from "../../../service/jobs/job.ts";
import { findJob } from "../../../service/jobs/job-store.ts";
import { findLeftovers } from "../leftovers.ts";
import type { ChaosCaller } from "./callers.ts";
import type { ChaosService } from "./chaos-service.ts";
import type { RecordedWebhook } from "./failing-webhooks.ts";
import type { SubmittedCapture } from "./submit-capture.ts";

type Chaos = Pick<ChaosService, "tables" | "received" | "dataDir">;

/** The orders whose capture or webhook is still under way. */
export async function findUnfinished(
  orders: readonly SubmittedCapture[],
  { tables }: Chaos,
): Promise<SubmittedCapture[]> {
  const isUnfinished = async (order: SubmittedCapture) => {
    const job = await readJob(order, tables);
    return job !== undefined && (!hasEnded(job) || hasPendingWebhook(job));
  };
  const states = await Promise.all(orders.map(isUnfinished));
  return orders.filter((_, index) => states[index]);
}

/** Every problem there is once nothing is under way any more. */
export async function findProblems(
  callers: readonly ChaosCaller[],
  orders: readonly SubmittedCapture[],
  chaos: Chaos,
): Promise<readonly string[]> {
  const ofCallers = callers.map((caller) =>
    problemsOfCaller(
      caller,
      orders.filter((order) => order.caller === caller),
      chaos,
    ),
  );
  return [...(await Promise.all(ofCallers)).flat(), ...problemsOfWebhookIds(chaos), ...describeLeftovers(chaos)];
}

/** Browsers and profiles that are left, except those that are ready for the next capture. */
export function describeLeftovers({ dataDir }: Pick<Chaos, "dataDir">): string[] {
  const { browsers, profiles } = findLeftovers(dataDir);
  return [
    ...browsers.map((pid) => `The browser ${pid} is left.`),
    ...profiles.map((path) => `The profile ${path} is left.`),
  ];
}

async function problemsOfCaller(
  caller: ChaosCaller,
  orders: readonly SubmittedCapture[],
  chaos: Chaos,
): Promise<string[]> {
  const [logs, stored] = await Promise.all([readLogs(caller), storedJobs(caller, chaos)]);
  const jobs = await Promise.all(orders.map((order) => readJob(order, chaos.tables)));
  const pairs = orders.map((order, index) => ({ order, job: jobs[index], logs: logs.filter(belongsTo(order)) }));
  const known = new Set(orders.map(({ jobId }) => jobId));
  const outcomes = jobs.flatMap((job) => job?.outputs ?? []);
  const successes = outcomes.filter(({ outcome }) => outcome?.status === "success").length;
  return [
    ...stored
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `The job ${id} was stored, but its webhook was not sent.`),
    ...pairs.flatMap(({ order, job, logs }) => problemsOfOrder(order, job, logs)),
    ...pairs.flatMap(({ order, job }) => problemsOfWebhook(order, job, chaos.received)),
    ...(logs.length === outcomes.length ? [] : [`${outcomes.length} captures have ${logs.length} logs.`]),
    ...(await problemsOfCounts(caller, successes, chaos)),
    ...(await problemsOfSlots(caller, chaos)),
  ];
}

/** A capture in the log of an account. */
export interface Log {
  readonly id: number;
  readonly status: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const belongsTo =
  ({ name }: SubmittedCapture) =>
  ({ options }: Log) =>
    options["external_identifier"] === name;

function problemsOfOrder(order: SubmittedCapture, job: Job | undefined, logs: readonly Log[]): string[] {
  const called = `${order.name} (${order.kind}, job ${order.jobId})`;
  if (!job) return [`${called} has gone.`];
  if (!hasEnded(job)) return [`${called} is still ${job.status}.`];
  return [...problemsOfLogs(called, job, logs), ...(job.lease ? [`${called} is over and still held.`] : [])];
}

/** Each output has one log, which says how it ended. */
function problemsOfLogs(called: string, { outputs }: Job, logs: readonly Log[]): string[] {
  const statuses = (all: readonly (string | undefined)[]) => all.toSorted().join(", ");
  const [ended, logged] = [outputs.map(({ outcome }) => outcome?.status), logs.map(({ status }) => status)];
  return statuses(ended) === statuses(logged) ? [] : [`${called} ended with ${ended}, and its logs say ${logged}.`];
}

function problemsOfWebhook(order: SubmittedCapture, job: Job | undefined, all: readonly RecordedWebhook[]): string[] {
  if (!job) return [];
  const received = all.filter(({ body }) => JSON.parse(body).data.external_identifier === order.name);
  const isTold = order.webhook === "always" || (order.webhook === "on success" && job.status === "success");
  if (!isTold) return received.length === 0 ? [] : [`${order.name} sent a webhook that was not requested.`];
  const ids = new Set(received.map(({ headers }) => headers["webhook-id"]));
  const types = new Set(received.map(({ body }) => JSON.parse(body).type));
  return [
    ...(received.some(({ isTaken }) => isTaken) ? [] : [`The webhook of ${order.name} was never delivered.`]),
    ...(job.webhook?.status === "delivered" ? [] : [`The webhook of ${order.name} is ${job.webhook?.status}.`]),
    ...(ids.size === 1 ? [] : [`${order.name} sent webhooks with ${ids.size} different ids.`]),
    ...([...types].join() === `capture.${job.status === "success" ? "succeeded" : "failed"}`
      ? []
      : [`${order.name} is ${job.status}, but its webhooks say ${[...types]}.`]),
    ...(received.every(({ signers }) => signers.join() === String(order.caller.account.id))
      ? []
      : [`A webhook of ${order.name} does not verify with the secret of its account alone.`]),
  ];
}

/** No id stands for two captures. */
function problemsOfWebhookIds({ received }: Chaos): string[] {
  const byId = Map.groupBy(received, ({ headers }) => headers["webhook-id"]);
  return [...byId].flatMap(([id, webhooks]) => {
    const jobs = new Set(webhooks.map(({ body }) => JSON.parse(body).data.request_id));
    return jobs.size === 1 ? [] : [`The webhook id ${id} was sent for ${jobs.size} captures.`];
  });
}

/** What was billed and counted of an account with so many successful captures must be as many. */
export async function problemsOfCounts(
  caller: ChaosCaller,
  successes: number,
  { tables }: Pick<Chaos, "tables">,
): Promise<string[]> {
  const { account, usedBefore } = caller;
  const now = Date.now();
  const period = periodAt(account, now);
  const item = await read(tables.usage, periodKey(account.id, period.start));
  const billed = (await readCounts(tables.usage, account.id, period)).screenshots - usedBefore;
  const taken = item["taken_screenshots"] === undefined ? billed : Number(item["taken_screenshots"]) - usedBefore;
  const { total_success } = await body<{ total_success: number }>(
    await caller.get("/api/v1/usage/stats?days=2"), // midnight may pass
  );
  return [
    ...(billed === successes ? [] : [`The ${account.plan} account has ${successes} successes and ${billed} billed.`]),
    ...(taken === successes ? [] : [`The ${account.plan} account has ${successes} successes and ${taken} taken.`]),
    ...listReservations(item).map((name) => `The ${account.plan} account still holds the reservation ${name}.`),
    ...(total_success === successes ? [] : [`${successes} successes are counted as ${total_success}.`]),
  ];
}

async function problemsOfSlots({ account }: ChaosCaller, { tables }: Chaos): Promise<string[]> {
  const item = await read(tables.usage, jobSlotsKey(account.id));
  const taken = Object.entries(item).filter(([name, value]) => /^(taken|n\d)$/.test(name) && value !== 0);
  return taken.map(([name, value]) => `The ${account.plan} account has ${name} = ${value} with no job under way.`);
}

function listReservations(item: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(item).filter((name) => name.startsWith("r_"));
}

async function read(table: string, key: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const { Item = {} } = await dynamodb().send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return Item;
}

function readJob({ caller, jobId }: SubmittedCapture, tables: Chaos["tables"]): Promise<Job | undefined> {
  return findJob(tables.activity, { account_id: caller.account.id, id: jobId }, Date.now());
}

async function storedJobs({ account }: ChaosCaller, { tables }: Chaos): Promise<{ readonly id: number }[]> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: tables.activity,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": jobsPartition(account.id) },
    }),
  );
  return Items as { readonly id: number }[];
}

/** All captures in the log of an account. */
export async function readLogs(caller: ChaosCaller): Promise<Log[]> {
  const logs: Log[] = [];
  for (let page = 1; ; page++) {
    const { data, last_page } = await body<{ data: Log[]; last_page: number }>(
      await caller.get(`/api/v1/usage?page=${page}&per_page=100`),
    );
    logs.push(...data);
    if (page >= last_page) return logs;
  }
}

async function body<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
