// Chaos test: asynchronous captures while functions are killed and databases and receivers fail. Every guarantee must hold.
import { setTimeout } from "node:timers/promises";
import { seededRandom } from "../../../../test/fixtures/seeded-random.ts";
import type { Received } from "../../../../test/fixtures/webhook-receiver.ts";
import { killProcess } from "../../local/child-process.ts";
import { functionProcesses } from "../../local/function-processes.ts";
import { type ChaosCaller, isSignedFor, openCaller } from "./callers.ts";
import { type ChaosService, startChaosService } from "./chaos-service.ts";
import { describeLeftovers, findProblems, findUnfinished } from "./checks.ts";
import { pick, type SubmittedCapture, submit } from "./submit-capture.ts";

export interface ChaosOptions {
  readonly jobs: number;
  /** The same seed makes the same choices; when they take effect depends on the machine. */
  readonly seed: number;
  /** So many functions are killed while they take captures, while they render, and while they deliver webhooks. */
  readonly kills: { readonly render: number; readonly renderer: number; readonly webhook: number };
  /** So often at most the receiver fails at the same webhook: once costs 5 seconds, twice a minute. */
  readonly mostFailures: number;
  /** Milliseconds after the last order by which all is over. */
  readonly patienceMs: number;
  onLog(source: string, line: string): void;
}

export interface ChaosReport {
  /** What happened, by its name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sentences; empty when all is as it was promised. */
  readonly problems: readonly string[];
}

const FAULT_SHARE = 0.02;
/** The caller whose quota ends has so many captures left, and asks for more. */
const LEFT = 3;
const ORDERS_OF_THE_LIMITED = 6;

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const random = seededRandom(options.seed);
  const killed = { render: 0, renderer: 0, webhook: 0 };
  const kill = (name: keyof typeof killed, choose = (all: readonly number[]) => all) => {
    const running = functionProcesses(chaos.dataDir).filter((each) => each.name === chaos.functions[name]);
    const all = running.map(({ pid }) => pid);
    if (killed[name] >= options.kills[name] || all.length === 0) return false;
    choose(all).forEach(killProcess);
    killed[name]++;
    return true;
  };
  const killOne = () => kill(pick(["render", "renderer"] as const, random), (all) => [pick(all, random)]);
  // All of them, as the one that sent this webhook is among them.
  const interrupt = () => random() < 0.3 && kill("webhook");
  const callers: ChaosCaller[] = [];
  const signersOf = (webhook: Received) =>
    callers.filter((caller) => isSignedFor(caller, webhook)).map(({ account }) => account.id);
  await using chaos = await startChaosService({ ...options, faultShare: FAULT_SHARE, signersOf, interrupt, random });
  const rich = await Promise.all(Array.from({ length: 3 }, () => openCaller(chaos, { plan: "max" })));
  const limited = await openCaller(chaos, { plan: "free", left: LEFT });
  callers.push(...rich, limited);

  const killing = new AbortController();
  const kills = again(killing.signal, () => setTimeout(500 + 3_000 * random()).then(killOne));
  const { orders, refusals } = await submitAll({ rich, limited }, chaos, { ...options, random });
  const problems: string[] = [];
  const isOver = await within(options.patienceMs, async () => (await findUnfinished(orders, chaos)).length === 0);
  killing.abort();
  await kills;
  chaos.engines.dynamodb.calm();
  chaos.engines.s3.calm();
  if (!isOver) {
    const names = (await findUnfinished(orders, chaos)).map(
      ({ name, kind, jobId }) => `${name} (${kind}, job ${jobId})`,
    );
    problems.push(`These were not over in time: ${names.join(", ")}.`);
  }
  // Chromium takes its time to go.
  await within(5_000, async () => describeLeftovers(chaos).length === 0);
  problems.push(...(await findProblems(callers, orders, chaos)));
  const kinds = {
    "killed render": killed.render,
    "killed renderer": killed.renderer,
    "killed webhook": killed.webhook,
  };
  return { counts: { ...refusals, ...kinds, ...countOutcomes(orders, chaos) }, problems };
}

/** Repeats an action until it is stopped. */
async function again(signal: AbortSignal, what: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) await what();
}

async function submitAll(
  { rich, limited }: { readonly rich: readonly ChaosCaller[]; readonly limited: ChaosCaller },
  { site, receiver }: ChaosService,
  { jobs, random }: Pick<ChaosOptions, "jobs"> & { readonly random: () => number },
) {
  const orders: SubmittedCapture[] = [];
  const refusals: Record<string, number> = {};
  const origins = { site: site.origin, receiver: receiver.origin };
  let fromLimited = 0;
  for (let number = 0; orders.length < jobs && number < 2 * jobs; number++) {
    const isLimited = fromLimited < ORDERS_OF_THE_LIMITED && number % 3 === 0;
    if (isLimited) fromLimited++;
    const answer = await submit(isLimited ? limited : pick(rich, random), origins, { number, random });
    if (typeof answer !== "string") orders.push(answer);
    else refusals[`refused ${answer}`] = (refusals[`refused ${answer}`] ?? 0) + 1;
    if (answer === "RATE_LIMITED") await setTimeout(2_000);
    await setTimeout(100 * random());
  }
  return { orders, refusals };
}

function countOutcomes(
  orders: readonly SubmittedCapture[],
  { engines, received }: ChaosService,
): Record<string, number> {
  const { dynamodb, s3 } = engines;
  const kinds = Map.groupBy(orders, ({ kind }) => kind);
  return {
    orders: orders.length,
    ...Object.fromEntries([...kinds].map(([kind, some]) => [`orders ${kind}`, some.length])),
    "webhooks taken": received.filter(({ isTaken }) => isTaken).length,
    "webhooks refused": received.filter(({ isTaken }) => !isTaken).length,
    "calls of DynamoDB": dynamodb.calls,
    "calls of S3": s3.calls,
    ...Object.fromEntries(
      [...Object.entries(dynamodb.counts), ...Object.entries(s3.counts)].map(([fault], _, all) => [
        `calls ${fault}`,
        all.filter(([name]) => name === fault).reduce((sum, [, count]) => sum + count, 0),
      ]),
    ),
  };
}

/** Resolves to whether `isSo` became true in time. */
async function within(patienceMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + patienceMs;
  while (Date.now() < until) {
    if (await isSo()) return true;
    await setTimeout(250);
  }
  return false;
}
