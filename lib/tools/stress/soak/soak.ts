// Soak test: many good captures and resource bombs by concurrent callers. Resources must not grow, and responses must stay correct.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { seededRandom } from "../../../../test/fixtures/seeded-random.ts";
import { otherProcesses } from "../../local/function-processes.ts";
import { openStressCaller, type StressCaller } from "../stress-caller.ts";
import { type StressOrigins, type StressService, startStressService } from "../stress-service.ts";
import { Collectors, LISTENING } from "./collectors.ts";
import { findAllLeaks } from "./leaks.ts";
import { type Observation, observe } from "./observation.ts";
import {
  bombRequest,
  type CheckContext,
  errorCode,
  everyGoodRequest,
  goodRequest,
  type ReceivedResponse,
  type Request,
  slowRequest,
} from "./requests.ts";

export interface SoakOptions {
  readonly captures: number;
  /** The same seed makes the same choices; how they fall together depends on the machine. */
  readonly seed: number;
  /** Callers at a time. */
  readonly callers: number;
  /** Ends the soak early, with what it has. */
  readonly signal: AbortSignal;
  onProgress(line: string): void;
  onLog(source: string, line: string): void;
}

export interface SoakReport {
  readonly captures: number;
  readonly observations: readonly Observation[];
  /** How many good pages and bombs were answered, by how. */
  readonly counts: Readonly<Record<string, number>>;
  /** Function processes that went away, one sentence each. */
  readonly departures: readonly string[];
  /** Sentences; empty when all is as it should be. */
  readonly problems: readonly string[];
}

/** All callers pause so often, so that the service can be looked at while nothing is under way. */
const LOOKS = 20;
/** The first captures make each process as large as it is while it works, and are no measure. */
const SETTLING_SHARE = 0.1;
/** After a bomb there is always a good page, after a good page a bomb so often that 40 % of all are bombs. */
const BOMB_AFTER_GOOD = 2 / 3;
/** Beyond the time of a capture: to send the answer. */
const GRACE_MS = 1_000;
const PROGRESS_MS = 60_000;
/** What functions print when something went wrong that no answer explains. */
const TROUBLE = /"level":"(ERROR|FATAL)"|timed out after|Runtime\.|Unhandled|ExceededWarning|heap out of memory/;

interface Caller extends StressCaller {
  readonly random: () => number;
  /** The name of the bomb before, where it was one. */
  after: string | undefined;
  /** Answers that the record must know of. */
  readonly answered: { success: number; failed: number };
}

interface Run {
  readonly options: SoakOptions;
  readonly soak: StressService;
  readonly origins: StressOrigins;
  readonly collectors: Collectors;
  readonly callers: readonly Caller[];
  readonly engines: ReadonlySet<number>;
  readonly problems: string[];
  readonly counts: Record<string, number>;
  readonly observations: Observation[];
  readonly departures: string[];
  readonly troubles: string[];
  readonly startedAt: number;
  requested: number;
  over: number;
}

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const troubles: string[] = [];
  const collectors = new Collectors();
  // In a process group of its own, which Ctrl-C does not reach: the captures under way are still to end.
  const site = fork(join(import.meta.dirname, "site-process.ts"), { detached: true });
  await using started = new AsyncDisposableStack();
  started.defer(() => void (site.connected && site.disconnect()));
  const [siteHostPort] = (await once(site, "message")) as [string];
  const soak = started.use(
    await startStressService({
      name: "soak",
      siteHostPort,
      environment: () => LISTENING,
      onLog(source, line) {
        options.onLog(source, line);
        collectors.hear(line);
        if (TROUBLE.test(line)) troubles.push(`${source}: ${line.slice(0, 400)}`);
      },
    }),
  );
  soak.service.warm();
  const callers = await Promise.all(Array.from({ length: options.callers }, (_, index) => open(soak, options, index)));
  const empty = { problems: [], counts: {}, observations: [], departures: [], troubles, requested: 0, over: 0 };
  // Before the first capture there is no browser: what runs in addition to the functions are databases.
  const engines = new Set(otherProcesses(soak.dataDir));
  const origins = { site: `http://${siteHostPort}`, receiver: soak.receiver.origin };
  const run: Run = { ...empty, options, soak, origins, collectors, callers, engines, startedAt: performance.now() };
  const progress = setInterval(() => options.onProgress(describeProgress(run)), PROGRESS_MS);
  // A function that starts keeps its first caller waiting, which is not what is measured here.
  await startProcesses(run);
  await Promise.all(callers.map((caller, index) => warmUp(run, caller, options.captures + index * WARM_UP_NUMBERS)));
  const settling = Math.ceil(options.captures * SETTLING_SHARE);
  for (let look = 0; look <= LOOKS && !options.signal.aborted; look++) {
    const until = settling + Math.ceil(((options.captures - settling) * look) / LOOKS);
    await Promise.all(callers.map((caller) => askUntil(run, caller, until)));
    await observeIdle(run);
  }
  clearInterval(progress);
  const { problems, counts, observations, departures, over } = run;
  const found = [...problems, ...findAllLeaks(observations), ...(await problemsOfRecord(run)), ...troubles];
  return { captures: over, observations, counts, departures, problems: found };
}

async function open(soak: StressService, { seed }: SoakOptions, index: number): Promise<Caller> {
  const random = seededRandom(seed * 1_000 + index);
  const caller = await openStressCaller(soak, "max");
  return { ...caller, random, after: undefined, answered: { success: 0, failed: 0 } };
}

/** Until there is a process for each caller: the service starts another one for waiting requests for long. */
async function startProcesses(run: Run): Promise<void> {
  const { callers, soak } = run;
  const count = () => soak.service.functions.find(({ logicalId }) => /^Screenshot/.test(logicalId))?.sandboxCount ?? 0;
  for (let tries = 0; tries < callers.length && count() < callers.length; tries++) {
    await Promise.all(callers.map((caller) => checkRequest(run, caller, slowRequest(LONG_S, run.origins))));
  }
}

/** Longer than a process takes to start. */
const LONG_S = 3;

/** More than a caller asks for at first. */
const WARM_UP_NUMBERS = 100;

async function warmUp(run: Run, caller: Caller, first: number): Promise<void> {
  for (const request of everyGoodRequest(first, run.origins)) await checkRequest(run, caller, request);
}

/** One request after the other, until all callers together have requested so many captures. */
async function askUntil(run: Run, caller: Caller, until: number): Promise<void> {
  while (run.requested < until && !run.options.signal.aborted) {
    const number = run.requested++;
    const isBomb = caller.after === undefined && caller.random() < BOMB_AFTER_GOOD;
    const choice = caller.random();
    const request = isBomb ? bombRequest(choice, run.origins) : goodRequest(number, choice, run.origins);
    const problem = await checkRequest(run, caller, request).catch((error) => `failed: ${error}`);
    const after = caller.after === undefined ? "" : `, after ${caller.after}`;
    if (problem !== undefined) run.problems.push(`Capture ${number} (${request.name}${after}) ${problem}.`);
    caller.after = isBomb ? request.name : undefined;
    run.over++;
  }
}

/** Asks for a capture; resolves to what is wrong with its answer, undefined when nothing is. */
async function checkRequest(run: Run, caller: Caller, request: Request): Promise<string | undefined> {
  const startedAt = performance.now();
  const answer = await receive(await caller.post("/api/v1/screenshot", request.options));
  const milliseconds = performance.now() - startedAt;
  count(run, caller, request, answer);
  if (milliseconds > request.timeout * 1_000 + GRACE_MS) return `was answered after ${Math.round(milliseconds)} ms`;
  const get = async (address: string) => receive(await caller.get(address));
  return request.findProblem(answer, { ...run.origins, get } satisfies CheckContext);
}

async function receive(answer: Response): Promise<ReceivedResponse> {
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}

function count(run: Run, { answered }: Caller, { isBomb, captures }: Request, answer: ReceivedResponse): void {
  const isSuccess = answer.status < 300; // that of a job is looked at until it is one
  answered[isSuccess ? "success" : "failed"] += captures;
  const name = `${isBomb ? "bombs" : "good"}: ${answer.status} ${errorCode(answer)}`.trim();
  run.counts[name] = (run.counts[name] ?? 0) + 1;
}

/** Looks at the service while nothing is under way. */
async function observeIdle(run: Run): Promise<void> {
  const { soak, engines, observations, departures, troubles } = run;
  const before = observations.at(-1);
  const v8 = await run.collectors.collect();
  const seconds = Math.round((performance.now() - run.startedAt) / 1_000);
  const at = { captures: run.over, seconds, troubles: troubles.length };
  const observation = await observe(soak.dataDir, engines, v8, at);
  observations.push(observation);
  for (const held of observation.processes) run.options.onLog("look", JSON.stringify({ captures: run.over, ...held }));
  const there = new Set(observation.processes.map(({ process }) => process.pid));
  for (const { process } of before?.processes.filter((each) => !there.has(each.process.pid)) ?? []) {
    const called = `${process.name} (${process.pid}), between the captures ${before?.captures} and ${run.over}`;
    if (troubles.length > (before?.troubles ?? 0)) departures.push(`${called}: see the log of the functions`);
    else if (seconds > IDLE_S) departures.push(`${called}: it may have been idle for five minutes`);
    else run.problems.push(`A process exited without a log line: ${called}.`);
  }
}

/** Where a function has several processes, those are ended that were idle for so long. */
const IDLE_S = 300;

async function problemsOfRecord(run: Run): Promise<string[]> {
  const of = async ({ get, answered }: Caller, index: number) => {
    const response = await get("/api/v1/usage/stats?days=2"); // midnight may pass
    const { total_success: success, total_failed: failed } = (await response.json()) as Record<string, number>;
    if (success === answered.success && failed === answered.failed) return [];
    const [report, known] = [`${answered.success} successes, ${answered.failed} failures`, `${success} and ${failed}`];
    return [`Caller ${index + 1} received ${report}; the usage statistics have ${known}.`];
  };
  return (await Promise.all(run.callers.map(of))).flat();
}

function describeProgress({ over, options, startedAt: begunAt, problems, troubles }: Run): string {
  const minutes = Math.round((performance.now() - begunAt) / 60_000);
  return `${minutes} min: ${over} of ${options.captures} captures, ${problems.length + troubles.length} problems`;
}
