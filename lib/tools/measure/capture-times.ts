// Captures over HTTP compared with the floors: time, phases, sizes and peak memory.
import type { Captures, TimedCapture } from "./captures.ts";
import {
  figureTable,
  inMegabytes,
  kilobytes,
  median,
  megabytes,
  milliseconds,
  pairwiseRatios,
  quantile,
} from "./figures.ts";
import type { FloorResult } from "./floor.ts";
import { type FloorLine, floorLines } from "./floor-lines.ts";
import { joinReports, type Measurement, type Report } from "./measurement.ts";
import { peakDuring, untilBrowsersGone } from "./memory.ts";
import { everyday, large, lively, type Scenario, settling, tallest } from "./scenarios.ts";
import { wrongBands } from "./tall-pages.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

/**
 * Captures by the same in a row that count, after one that does not: it comes after another's, which has filled the
 * processor's caches with its own. Slow ones are repeated less often, and gain little by it.
 */
const IN_A_ROW = 3;
const IN_A_ROW_MS = 1_500;

/** Slow captures have fewer turns, so that all of them end within a few minutes. Quick ones differ more by chance. */
const EVERYDAY_MS = 40_000;
const LARGE_MS = 20_000;
const FEWEST_TURNS = 3;

const groupOf = (name: string, scenarios: readonly Scenario[]): BenchGroup => ({
  name,
  parts: scenarios.map((scenario) => scenario.name),
  measure: (wanted, bench) => measureAll(name, selectWanted(scenarios, wanted), EVERYDAY_MS, bench),
});

export const captureTimes: BenchGroup = groupOf("captures", everyday);
export const settlingTimes: BenchGroup = groupOf("settling", settling);
export const livelyTimes: BenchGroup = groupOf("lively", lively);

export const largeCaptures: BenchGroup = {
  name: "large",
  parts: [...large, tallest].map(({ name }) => name),
  async measure(wanted, bench) {
    const scenarios = selectWanted(large, wanted);
    const reports = scenarios.length > 0 ? [await measureAll("large", scenarios, LARGE_MS, bench)] : [];
    return joinReports(wanted.includes(tallest.name) ? [...reports, await checkTallest(bench)] : reports);
  },
};

const selectWanted = (scenarios: readonly Scenario[], wanted: readonly string[]) =>
  scenarios.filter(({ name }) => wanted.includes(name));

async function measureAll(
  family: string,
  scenarios: readonly Scenario[],
  eachMs: number,
  bench: Workbench,
): Promise<Report> {
  const lines = floorLines.filter(({ suits }) => scenarios.some(suits));
  const times = [["capture", "runs", "ours", "p95", "size", ...lines.flatMap(({ name }) => [name, "p95", "ratio"])]];
  const memory = [["capture", "script", "ours"]];
  const phases: string[] = [];
  const measurements: Measurement[] = [];
  for (const scenario of scenarios) {
    const turns = await takeTurns(scenario, eachMs, bench);
    const peaks = await weigh(scenario, bench);
    times.push(toRow(scenario, lines, turns));
    phases.push(`${scenario.name}: ${medianPhases(turns.ours)}`);
    memory.push([scenario.name, megabytes(peaks.floor), megabytes(peaks.ours)]);
    measurements.push(...toMeasurements(`${family}: ${scenario.name}`, turns, peaks));
    bench.done(scenario.name);
  }
  const text = [
    `Median and 95th percentile of warm captures, in turns with the floors (${family}):\n\n${figureTable(times)}`,
    `Phases, medians in ms:\n${phases.join("\n")}`,
    `Most memory held by the function and its browser, and by the script and its own:\n\n${figureTable(memory)}`,
  ].join("\n\n");
  return { text, measurements, failures: [] };
}

/** Captures of each, several in a row in every turn, there and back. */
interface Turns {
  readonly ours: readonly (readonly TimedCapture[])[];
  readonly floors: ReadonlyMap<FloorLine, readonly (readonly FloorResult[])[]>;
}

async function takeTurns(scenario: Scenario, forMs: number, bench: Workbench): Promise<Turns> {
  const { path, options, job, wait, isBackToBack = false } = scenario;
  const url = `${(await bench.site()).origin}${path}`;
  const captures = await bench.captures();
  const floors = new Map<FloorLine, FloorResult[][]>(
    floorLines.filter(({ suits }) => suits(scenario)).map((line) => [line, []]),
  );
  const ours: TimedCapture[][] = [];
  const takeOurs = async () => {
    const { body: _, ...capture } = await captures.take(url, options);
    return { ...capture, body: Buffer.alloc(0) }; // 30 MB of each would be held
  };
  const ways: (() => Promise<unknown>)[] = [...floors].map(([line, results]) => async () => {
    results.push(await inARow(() => line.take({ url, job, wait }, bench), untilBrowsersGone));
  });
  const pause = isBackToBack ? () => Promise.resolve() : () => untilIdle(captures);
  ways.push(async () => {
    ours.push(await inARow(takeOurs, pause));
    await captures.untilIdle();
  });
  const takeTurn = async () => {
    for (const way of ways) await way();
    ways.reverse();
  };
  await takeTurn();
  for (const results of [ours, ...floors.values()]) results.length = 0; // the engine makes code faster that has run a few times
  const expiry = performance.now() + forMs;
  const fewest = Math.min(FEWEST_TURNS, bench.runs);
  while (ours.length < bench.runs && (ours.length < fewest || performance.now() < expiry)) await takeTurn();
  return { ours, floors };
}

/** Resolves when the service has replaced the browser of its last capture. */
async function untilIdle(captures: Captures): Promise<void> {
  await captures.untilIdle();
  await untilBrowsersGone();
}

async function inARow<T>(take: () => Promise<T>, pause: () => Promise<void>): Promise<T[]> {
  const taken: T[] = [];
  const takeOne = async () => {
    taken.push(await take());
    await pause();
  };
  await takeOne();
  taken.length = 0;
  const expiry = performance.now() + IN_A_ROW_MS;
  while (taken.length === 0 || (taken.length < IN_A_ROW && performance.now() < expiry)) await takeOne();
  return taken;
}

interface Peaks {
  readonly floor: number;
  readonly ours: number;
  /** Memory of the function. */
  readonly limit: number;
  readonly body: Buffer;
}

/** The most memory of both, in bytes. Apart from the measurement of time, which looking at the memory would disturb. */
async function weigh({ path, options, job, wait }: Scenario, bench: Workbench): Promise<Peaks> {
  const url = `${(await bench.site()).origin}${path}`;
  const [floor, captures] = [await bench.floor(), await bench.captures()];
  const ofFloor = await peakDuring(floor.pid, () =>
    repeatedly(() => floor.take({ url, job, wait }), untilBrowsersGone),
  );
  const { pid, memoryMegabytes } = captures.sandbox();
  const ofOurs = await peakDuring(pid, () =>
    repeatedly(
      () => captures.take(url, options),
      () => untilIdle(captures),
    ),
  );
  return { floor: ofFloor.peak, ours: ofOurs.peak, limit: memoryMegabytes * 2 ** 20, body: ofOurs.outcome.body };
}

/** A look at the memory can miss a browser that lives for a fifth of a second. */
const LOOKED_AT_MS = 1_500;

/** Does `work` again and again for a while, and once at least; the last outcome. */
async function repeatedly<T>(work: () => Promise<T>, pause: () => Promise<void>): Promise<T> {
  const expiry = performance.now() + LOOKED_AT_MS;
  for (;;) {
    const outcome = await work();
    if (performance.now() >= expiry) return outcome;
    await pause(); // one that is dying would count for the next
  }
}

const listTimes = (results: readonly Pick<FloorResult, "milliseconds">[]) => results.map((each) => each.milliseconds);

function toRow({ name }: Scenario, lines: readonly FloorLine[], { ours, floors }: Turns): string[] {
  const times = listTimes(ours.flat());
  const besides = lines.flatMap((line) => {
    const results = floors.get(line);
    if (!results) return ["", "", ""];
    const ofFloor = listTimes(results.flat());
    return [...medianAndP95(ofFloor), (median(times) / median(ofFloor)).toFixed(2)];
  });
  return [
    name,
    String(times.length),
    ...medianAndP95(times),
    kilobytes(median(ours.flat().map(({ bytes }) => bytes))),
    ...besides,
  ];
}

const medianAndP95 = (times: readonly number[]) => [milliseconds(median(times)), milliseconds(quantile(times, 0.95))];

function toMeasurements(name: string, { ours, floors }: Turns, peaks: Peaks): Measurement[] {
  const medianTimes = (turns: readonly (readonly Pick<FloorResult, "milliseconds">[])[]) =>
    turns.map((results) => median(listTimes(results)));
  const besides = [...floors].flatMap(([line, results]): Measurement[] => [
    { name: `${name}, ${line.name}`, unit: "ms", samples: listTimes(results.flat()), isFloor: true },
    {
      name: `${name}, ours against ${line.name}`,
      unit: "ratio",
      samples: pairwiseRatios(medianTimes(ours), medianTimes(results)),
    },
  ]);
  return [
    { name: `${name}, ours`, unit: "ms", samples: listTimes(ours.flat()) },
    ...besides,
    { name: `${name}, ours, memory`, unit: "MB", samples: [inMegabytes(peaks.ours)] },
    { name: `${name}, script, memory`, unit: "MB", samples: [inMegabytes(peaks.floor)], isFloor: true },
  ];
}

function medianPhases(all: Turns["ours"]): string {
  const ours = all.flat();
  const names = new Set(ours.flatMap((each) => [...each.phases.keys()]));
  const times = (name: string) => ours.map((each) => each.phases.get(name) ?? 0);
  return [...names].map((name) => `${name} ${median(times(name)).toFixed(1)}`).join(", ");
}

/** The tallest page must fit into the function's memory, and each of its rows must be where it belongs. */
async function checkTallest(bench: Workbench): Promise<Report> {
  const { name, height, path } = tallest;
  await (await bench.captures()).take(`${(await bench.site()).origin}${path}`, {}); // so that there is a process to look at
  const { floor, ours, limit, body } = await weigh(tallest, bench);
  const wrong = await wrongBands(body, height);
  bench.done(name);
  const failures = [
    ...(ours > limit ? [`${name}: MORE than the ${megabytes(limit)} of the function.`] : []),
    ...(wrong.length > 0 ? [`${name}: WRONG at rows ${wrong.join(", ")}.`] : []),
  ];
  const verdict =
    failures.length > 0 ? failures.join(" ") : "within the function's memory, right at every 1,000th row.";
  return {
    text: `${name}: ${megabytes(ours)}, the script ${megabytes(floor)}; ${verdict}`,
    measurements: [{ name: `large: ${name}, ours, memory`, unit: "MB", samples: [inMegabytes(ours)] }],
    failures,
  };
}
