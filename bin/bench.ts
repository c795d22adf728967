// `npm run bench`: what a capture over HTTP costs beside the floor, a bare script with the same Chromium and flags; what a
// video costs; what blocking costs and saves; what containment costs; and what a page of the usage list costs, the first
// and the deepest.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BLOCKING, measureBlocking } from "../test/bench/blocking.ts";
import { startCaptures, type TimedCapture } from "../test/bench/captures.ts";
import { EGRESS, measureEgress } from "../test/bench/egress.ts";
import { median, quantile, table } from "../test/bench/figures.ts";
import type { FloorResult } from "../test/bench/floor.ts";
import { startFloor } from "../test/bench/floor-process.ts";
import { peakDuring } from "../test/bench/memory.ts";
import { startBenchSite } from "../test/bench/pages.ts";
import { type Scenario, scenarios, tallest } from "../test/bench/scenarios.ts";
import { wrongBands } from "../test/bench/tall-pages.ts";
import { measureUsage } from "../test/bench/usage.ts";
import { measureVideos, videos } from "../test/bench/video.ts";

const WARM_UPS = 1;
/** Slow captures are repeated less often, so that all of them end within four minutes. */
const SCENARIO_MS = 9_000;
const FEWEST_RUNS = 3;

/** A round of all videos takes a minute and a half: one is enough where they are not what is asked for. */
const VIDEO_RUNS = { among: 1, only: 3 };

/** What is measured besides captures. */
const USAGE = { name: "usage" };

const { values: flags } = parseArgs({
  options: { runs: { type: "string", default: "20" }, only: { type: "string", default: "" } },
});
const runs = Number(flags.runs);
const isWanted = ({ name }: Pick<Scenario, "name">) => name.includes(flags.only);
if (!(runs >= 1) || ![...scenarios, tallest, ...videos, USAGE, BLOCKING, EGRESS].some(isWanted)) {
  const names = [...scenarios, tallest, ...videos, USAGE, BLOCKING, EGRESS].map(({ name }) => `  ${name}`);
  console.error(["npm run bench -- [--runs <number>] [--only <part of a name>], of these:", ...names].join("\n"));
  process.exit(2);
}

const project = resolve(import.meta.dirname, "..");
if (isWanted(USAGE)) {
  const { text, holds } = await measureUsage(project, runs);
  console.log(`${text}\n`);
  if (!holds) process.exitCode = 1;
}
if (isWanted(BLOCKING)) console.log(`${await measureBlocking(runs)}\n`);
if (isWanted(EGRESS)) console.log(`${await measureEgress(runs)}\n`);
if (![...scenarios, tallest, ...videos].some(isWanted)) process.exit();

await using started = new AsyncDisposableStack();
const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
started.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
const site = await startBenchSite();
started.defer(() => site.close());
const floor = await startFloor(dataDir);
started.defer(() => floor.close());
const captures = await startCaptures(project, dataDir, site.origin);
started.defer(() => captures.close());

if ([...scenarios, tallest].some(isWanted)) await measurePictures();
const wantedVideos = videos.filter(isWanted);
if (wantedVideos.length > 0) {
  const most = flags.only === "" ? VIDEO_RUNS.among : VIDEO_RUNS.only;
  const bench = { floor, captures, origin: site.origin, runs: Math.min(runs, most) };
  console.log(`\n${await measureVideos(wantedVideos, bench)}`);
}

async function measurePictures(): Promise<void> {
  const times = [["capture", "runs", "floor", "p95", "size", "ours", "p95", "size", "ratio"]];
  const phases: string[] = [];
  const memory = [["capture", "floor", "ours"]];
  for (const scenario of scenarios.filter(isWanted)) {
    const { floors, ours } = await measure(scenario);
    const ratio = medianTime(ours) / medianTime(floors);
    times.push([scenario.name, String(ours.length), ...figures(floors), ...figures(ours), ratio.toFixed(2)]);
    phases.push(`${scenario.name}: ${medianPhases(ours)}`);
    const peaks = await weigh(scenario);
    console.log(`${scenario.name}: done`);
    memory.push([scenario.name, megabytes(peaks.floor), megabytes(peaks.ours)]);
  }
  console.log(`\nMedian and 95th percentile of warm captures, in turns with the floor:\n\n${table(times)}`);
  console.log(`\nPhases, medians in ms:\n${phases.join("\n")}`);
  console.log(`\nInit of each function, ms: ${captures.initTimes()}`);

  const verdicts = isWanted(tallest) ? await checkTallest(memory) : [];
  console.log(`\nMost memory held by the function and its browser, and by the floor and its own:\n\n${table(memory)}`);
  console.log(`\n${verdicts.join("\n")}`);
}

async function measure({ path, options, job }: Scenario): Promise<{ floors: FloorResult[]; ours: TimedCapture[] }> {
  const url = `${site.origin}${path}`;
  const floors: FloorResult[] = [];
  const ours: TimedCapture[] = [];
  for (let run = 0; run < WARM_UPS; run++) {
    await floor.take({ url, job });
    await captures.take(url, options);
  }
  const expiry = performance.now() + SCENARIO_MS;
  while (ours.length < runs && (ours.length < FEWEST_RUNS || performance.now() < expiry)) {
    floors.push(await floor.take({ url, job }));
    ours.push(await captures.take(url, options));
  }
  return { floors, ours };
}

/** The most memory of both, in bytes. Apart from the measurement of time, which looking at the memory would disturb. */
async function weigh({ path, options, job }: Scenario) {
  const url = `${site.origin}${path}`;
  const ofFloor = await peakDuring(floor.pid, () => floor.take({ url, job }));
  const { pid, memoryBytes } = await captures.sandbox();
  const ofOurs = await peakDuring(pid, () => captures.take(url, options));
  return { floor: ofFloor.peak, ours: ofOurs.peak, limit: memoryBytes, body: ofOurs.outcome.body };
}

/** The tallest page must fit into the function's memory, and each of its rows must be where it belongs. Adds a row to `memory`. */
async function checkTallest(memory: string[][]): Promise<string[]> {
  const { floor: ofFloor, ours, limit, body } = await weigh(tallest);
  memory.push([tallest.name, megabytes(ofFloor), megabytes(ours)]);
  const wrong = await wrongBands(body, tallest.height);
  if (ours > limit || wrong.length > 0) process.exitCode = 1;
  return [
    `${tallest.name}: ${ours > limit ? "MORE than" : "within"} the ${megabytes(limit)} of the function.`,
    `${tallest.name}: ${wrong.length > 0 ? `WRONG at rows ${wrong.join(", ")}` : "right at every 1,000th row"}.`,
  ];
}

function medianTime(results: readonly FloorResult[]): number {
  return median(results.map(({ milliseconds }) => milliseconds));
}

function figures(results: readonly FloorResult[]): string[] {
  const slow = quantile(
    results.map(({ milliseconds }) => milliseconds),
    0.95,
  );
  const bytes = median(results.map((each) => each.bytes));
  return [`${medianTime(results).toFixed(0)} ms`, `${slow.toFixed(0)} ms`, `${(bytes / 1000).toFixed(0)} KB`];
}

function medianPhases(ours: readonly TimedCapture[]): string {
  const names = new Set(ours.flatMap((each) => [...each.phases.keys()]));
  const times = (name: string) => ours.map((each) => each.phases.get(name) ?? 0);
  return [...names].map((name) => `${name} ${median(times(name)).toFixed(1)}`).join(", ");
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}
