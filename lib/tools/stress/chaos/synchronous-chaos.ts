// Chaos test of synchronous captures: the function that answers and the renderer are killed at any moment. Every caller gets a response,
// and what was billed is what succeeded.
import { setTimeout } from "node:timers/promises";
import { seededRandom } from "../../../../test/fixtures/seeded-random.ts";
import { killProcess } from "../../local/child-process.ts";
import { functionProcesses } from "../../local/function-processes.ts";
import { type ChaosCaller, openCaller } from "./callers.ts";
import type { ChaosReport } from "./chaos.ts";
import { type ChaosService, startChaosService } from "./chaos-service.ts";
import { describeLeftovers, type Log, problemsOfCounts, readLogs } from "./checks.ts";
import { pick } from "./submit-capture.ts";

export interface SynchronousChaosOptions {
  readonly captures: number;
  /** The same seed makes the same choices; when they take effect depends on the machine. */
  readonly seed: number;
  /** At most so many functions are killed. */
  readonly kills: { readonly screenshot: number; readonly renderer: number };
  onLog(source: string, line: string): void;
}

/** Captures at the same time. */
const CONCURRENT_CAPTURES = 2;
/** Enough for a second attempt. */
const CAPTURE_TIMEOUT_S = 30;
/** Longest time between two kills. */
const MAX_PAUSE_MS = 1_500;
/** How long Chromium may take to go, in milliseconds. */
const EXIT_MS = 5_000;

interface Answered {
  /** Its `external_identifier`. */
  readonly name: string;
  readonly status: number;
  /** How many captures it makes. */
  readonly captures: number;
  /** How many of them succeeded. */
  readonly successes: number;
}

export async function runSynchronousChaos(options: SynchronousChaosOptions): Promise<ChaosReport> {
  const random = seededRandom(options.seed);
  await using chaos = await startChaosService({
    ...{ faultShare: 0, mostFailures: 0, signersOf: () => [], interrupt: () => false },
    ...{ random, onLog: options.onLog },
  });
  const caller = await openCaller(chaos, { plan: "max" });
  const killed = { screenshot: 0, renderer: 0 };
  const over = new AbortController();
  const killing = killAgain(chaos, { killed, random, limits: options.kills, signal: over.signal });
  const answered = await captureAll(caller, chaos, { count: options.captures, random });
  over.abort();
  await killing;
  for (let waited = 0; waited < EXIT_MS && describeLeftovers(chaos).length > 0; waited += 250) await setTimeout(250);
  const failures = answered.filter(({ status }) => status !== 200).length;
  const counts = {
    ...{
      captures: answered.length,
      failures,
      "killed screenshot": killed.screenshot,
      "killed renderer": killed.renderer,
    },
  };
  return { counts, problems: await findProblems({ caller, answered, killed }, chaos) };
}

interface Killing {
  readonly killed: Record<"screenshot" | "renderer", number>;
  readonly limits: SynchronousChaosOptions["kills"];
  readonly signal: AbortSignal;
  random(): number;
}

/** Kills one process of a function after the other until the signal. */
async function killAgain(chaos: ChaosService, { killed, limits, signal, random }: Killing): Promise<void> {
  while (!signal.aborted) {
    await setTimeout(MAX_PAUSE_MS * random());
    const name = pick(["screenshot", "renderer"] as const, random);
    const processes = functionProcesses(chaos.dataDir).filter((each) => each.name === chaos.functions[name]);
    if (signal.aborted || killed[name] >= limits[name] || processes.length === 0) continue;
    killProcess(pick(processes, random).pid);
    killed[name]++;
  }
}

async function captureAll(
  caller: ChaosCaller,
  { site }: ChaosService,
  { count, random }: { readonly count: number; random(): number },
): Promise<Answered[]> {
  const sources = [
    { url: `${site.origin}/box` },
    { url: `${site.origin}/bands?count=20`, full_page: true, format: "webp" },
    { url: `${site.origin}/slow-images?count=1&after=2000` },
    { markdown: "# Chaos\n\nAs a document.", format: "pdf" },
    { url: `${site.origin}/box`, response_type: "json" },
    { url: `${site.origin}/box`, outputs: [{ name: "shot" }, { name: "text", format: "text" }] },
  ];
  const answered: Answered[] = [];
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const captureNext = async () => {
    for (const number of numbers) {
      const name = `capture-${number}`;
      const source = pick(sources, random);
      const options = { ...source, timeout: CAPTURE_TIMEOUT_S, external_identifier: name };
      const response = await caller.post("/api/v1/screenshot", options);
      const { status } = response;
      const body = Buffer.from(await response.arrayBuffer());
      const { captures, successes } = source.outputs
        ? countOutputs(body, source.outputs)
        : { captures: 1, successes: 1 };
      answered.push({ name, status, captures, successes: status === 200 ? successes : 0 });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CAPTURES }, captureNext));
  return answered;
}

/** How many outputs were requested, and how many of them the response says have succeeded. */
function countOutputs(body: Buffer, requested: readonly object[]): Pick<Answered, "captures" | "successes"> {
  const { outputs = [] } = JSON.parse(body.toString()) as { readonly outputs?: readonly { readonly status: string }[] };
  return { captures: requested.length, successes: outputs.filter(({ status }) => status === "success").length };
}

interface Outcome extends Pick<Killing, "killed"> {
  readonly caller: ChaosCaller;
  readonly answered: readonly Answered[];
}

async function findProblems({ caller, answered, killed }: Outcome, chaos: ChaosService): Promise<string[]> {
  const logs = await readLogs(caller);
  const successes = logs.filter(({ status }) => status === "success").length;
  const failures = answered.filter(({ status }) => status !== 200).length;
  // A renderer that dies is invoked once more, so it takes two of them to fail a capture.
  const excused = killed.screenshot + Math.floor(killed.renderer / 2);
  const unanswered = successes - answered.reduce((sum, each) => sum + each.successes, 0);
  const mostCaptures = Math.max(...answered.map(({ captures }) => captures));
  return [
    ...answered.flatMap((each) => problemsOfCapture(each, logs)),
    ...(failures <= excused ? [] : [`${failures} captures failed, of which the kills explain ${excused}.`]),
    // One that ends between the record and the response is billed, and the caller has the log.
    ...(unanswered <= killed.screenshot * mostCaptures ? [] : [`${unanswered} captures were billed and not answered.`]),
    ...(await problemsOfCounts(caller, successes, chaos)),
    ...describeLeftovers(chaos),
  ];
}

function problemsOfCapture({ name, captures, successes }: Answered, logs: readonly Log[]): string[] {
  const own = logs.filter(({ options }) => options["external_identifier"] === name);
  const logged = own.filter(({ status }) => status === "success").length;
  if (own.length > captures) return [`${name} makes ${captures} captures, and has ${own.length} logs.`];
  if (logged < successes) return [`${name} was answered with ${successes} results, of which ${logged} are logged.`];
  return [];
}
