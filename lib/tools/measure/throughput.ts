// How many captures of a small page are taken in a second, with several under way at a time, compared with bare scripts; and what
// processor time each takes: the databases, elsewhere on AWS, have to share the processors of this machine.
import type { Captures } from "./captures.ts";
import { canControl, openControlGroup } from "./control-group.ts";
import { figureTable, inMegabytes, median, megabytes, milliseconds, pairwiseRatios } from "./figures.ts";
import type { FloorRequest } from "./floor.ts";
import { type Floor, startFloor } from "./floor-process.ts";
import type { Measurement } from "./measurement.ts";
import { residentBytes } from "./memory.ts";
import { smallPage } from "./scenarios.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const LEVELS = [2, 3, 4];

/** Of a round, of each way. */
const CAPTURES = 20;

/**
 * In which the ways of the script are compared. None of them counts: the best of several is so by chance as well, and
 * would be held to be faster than it is.
 */
const QUALIFYING_ROUNDS = 3;

/** In which the best of them and the service take turns. */
const ROUNDS = 7;

/** Each process makes its first captures while it still grows. */
const SETTLING_CAPTURES = 5;

const partName = (level: number) => `${level} at a time`;

export const throughput: BenchGroup = {
  name: "throughput",
  parts: LEVELS.map(partName),
  async measure(wanted, bench) {
    const rows = [["at a time", "captures", "script", "ours", "ratio", "script", "ours", "ratio", "errors", "memory"]];
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    for (const level of LEVELS.filter((each) => wanted.includes(partName(each)))) {
      const { way, count, floor, ours, errors, before, after } = await measureLevel(level, bench);
      const longer = pairwiseRatios(floor.rates, ours.rates);
      const busier = pairwiseRatios(ours.cpuMs, floor.cpuMs);
      rows.push([
        partName(level),
        String(count),
        `${median(floor.rates).toFixed(2)}/s (${way})`,
        `${median(ours.rates).toFixed(2)}/s`,
        (1 / median(longer)).toFixed(2),
        milliseconds(median(floor.cpuMs)),
        milliseconds(median(ours.cpuMs)),
        (1 / median(busier)).toFixed(2),
        String(errors.length),
        `${megabytes(median(before))}, ${megabytes(median(after))}`,
      ]);
      const name = `throughput: ${partName(level)}`;
      measurements.push(
        { name: `${name}, script`, unit: "captures/s", samples: floor.rates, isFloor: true },
        { name: `${name}, ours`, unit: "captures/s", samples: ours.rates },
        { name: `${name}, processor time of the script`, unit: "ms", samples: floor.cpuMs, isFloor: true },
        { name: `${name}, processor time of ours`, unit: "ms", samples: ours.cpuMs },
        { name: `${name}, time against the script`, unit: "ratio", samples: longer },
        { name: `${name}, processor time against the script`, unit: "ratio", samples: busier },
        { name: `${name}, function's memory after`, unit: "MB", samples: after.map(inMegabytes) },
      );
      if (errors.length > 0) failures.push(`${errors.length} captures failed with ${partName(level)}: ${errors[0]}`);
      bench.done(`throughput, ${partName(level)}`);
    }
    const heading =
      "Small pages per second, and the processor time of each, in the processes of the script and of the function with " +
      "their browsers; ratios above 1 are better than the script. Memory of the functions' processes before and after:";
    return { text: `${heading}\n\n${figureTable(rows)}`, measurements, failures };
  },
};

/** Runs in rounds: in each, the script at its fastest and the service take the same number of captures, in both orders. */
async function measureLevel(level: number, bench: Workbench) {
  const count = Math.max(level, Math.min(CAPTURES, bench.runs));
  const floors = await Promise.all(Array.from({ length: level }, () => startFloor(bench.folder())));
  const url = `${(await bench.site()).origin}${smallPage.path}`;
  const service = await readyService(level, bench);
  const before = await service.memory();
  using ofFloors = openCpuMeter(floors.map(({ pid }) => pid));
  using ofService = openCpuMeter(service.processes);
  const callers: Caller[] = [];
  for (let round = 0; round < ROUNDS; round++) callers.push(await service.openCaller());
  const { way, take } = await fastest(listWays(floors, { url, job: smallPage.job }), { count, meter: ofFloors });
  const floor = noRates();
  const ours = noRates();
  for (const [round, call] of callers.entries()) {
    const turns = [
      () => rate(floor, { count, meter: ofFloors, work: () => take(count) }),
      () => rate(ours, { count, meter: ofService, work: () => atATime(level, count, call) }),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  const after = await service.memory();
  for (const each of floors) each.close();
  return { way, count: count * ROUNDS, floor, ours, errors: service.errors, before, after };
}

interface Rates {
  /** Captures per second in each round. */
  readonly rates: number[];
  /** Milliseconds of processor time of a capture in each round. */
  readonly cpuMs: number[];
}

const noRates = (): Rates => ({ rates: [], cpuMs: [] });

interface Way {
  readonly way: string;
  take(count: number): Promise<unknown>;
}

/** The way that takes the most in a second, of ways that take as many each, in turns. */
async function fastest(
  ways: readonly Way[],
  { count, meter }: { readonly count: number; readonly meter: CpuMeter },
): Promise<Way> {
  const tried = ways.map((way) => ({ ...way, ...noRates() }));
  for (let round = 0; round < QUALIFYING_ROUNDS; round++) {
    for (const way of tried) await rate(way, { count, meter, work: () => way.take(count) });
  }
  return tried.reduce((best, each) => (median(each.rates) > median(best.rates) ? each : best));
}

/** All ways of the script to take as many at a time as there are floors. */
function listWays(floors: readonly Floor[], request: FloorRequest): Way[] {
  const [one] = floors as [Floor, ...Floor[]];
  const atOnce = floors.length;
  const painted: FloorRequest = { ...request, painting: "begin-frame-control" };
  return [
    { way: "1 process", take: (count) => one.burst(request, { count, atOnce }) },
    { way: "1 process, begin-frame", take: (count) => one.burst(painted, { count, atOnce }) },
    { way: `${atOnce} processes`, take: (count) => inProcesses(floors, request, count) },
    { way: `${atOnce} processes, begin-frame`, take: (count) => inProcesses(floors, painted, count) },
  ];
}

/** Each process takes its share, one after the other. */
async function inProcesses(floors: readonly Floor[], request: FloorRequest, count: number): Promise<void> {
  const shares = floors.map((_, index) => Math.floor((count + index) / floors.length));
  await Promise.all(floors.map((floor, index) => floor.burst(request, { count: shares[index] ?? 0, atOnce: 1 })));
}

/** Requests a capture and waits for it; errors are collected. */
type Caller = () => Promise<unknown>;

async function readyService(level: number, bench: Workbench) {
  const captures = await bench.crowded();
  const { origin } = await bench.site();
  const url = `${origin}${smallPage.path}`;
  await startSandboxes(captures, `${origin}/slow`, level);
  const errors: string[] = [];
  /** With an account of its own: none may send in a minute as many requests as all rounds take. */
  const openCaller = async (): Promise<Caller> => {
    const key = await captures.openAccount();
    return () => captures.take(url, smallPage.options, key).catch((error) => errors.push(String(error)));
  };
  await atATime(level, level * SETTLING_CAPTURES, await openCaller());
  const processes = captures.sandboxes("Screenshot").map(({ pid }) => pid);
  return { openCaller, errors, processes, memory: () => Promise.all(processes.map(residentBytes)) };
}

/** Captures that take long, until there are as many processes: Lambda starts one for each, the pool for who waits long. */
async function startSandboxes(captures: Captures, slowUrl: string, level: number): Promise<void> {
  const slow = () => captures.take(slowUrl, {});
  for (let tries = 0; tries < level; tries++) {
    if (captures.sandboxes("Screenshot").length >= level) return;
    await Promise.all(Array.from({ length: level }, slow));
  }
}

/** Does something `count` times, `level` of them at a time: each worker starts the next when it is done. */
async function atATime(level: number, count: number, take: () => Promise<unknown>): Promise<void> {
  let startedCount = 0;
  const caller = async () => {
    while (startedCount++ < count) await take();
  };
  await Promise.all(Array.from({ length: level }, caller));
}

async function rate(
  { rates, cpuMs }: Rates,
  { count, meter, work }: { readonly count: number; readonly meter: CpuMeter; readonly work: () => Promise<unknown> },
): Promise<void> {
  const [startedAt, used] = [performance.now(), meter.milliseconds()];
  await work();
  rates.push((count * 1000) / (performance.now() - startedAt));
  cpuMs.push((meter.milliseconds() - used) / count);
}

/** The CPU time of processes and all their children, including killed ones. */
interface CpuMeter extends Disposable {
  /** CPU time since it was opened, in milliseconds; NaN without permission. */
  milliseconds(): number;
}

function openCpuMeter(pids: readonly number[]): CpuMeter {
  if (!canControl()) return { milliseconds: () => Number.NaN, [Symbol.dispose]() {} };
  const group = openControlGroup(pids);
  const NANOSECONDS = 1e6;
  return {
    milliseconds: () => Number(group.read("cpuacct.usage")) / NANOSECONDS,
    [Symbol.dispose]: () => group[Symbol.dispose](),
  };
}
