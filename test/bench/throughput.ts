// How many captures of a small page are taken in a second, with several under way at a time, beside bare scripts; and what
// processor time each takes: the databases, elsewhere on AWS, have to share the processors of this machine.
import type { Captures } from "./captures.ts";
import { type CpuMeter, openCpuMeter } from "./cpu-time.ts";
import { inMegabytes, median, megabytes, milliseconds, table } from "./figures.ts";
import type { FloorRequest } from "./floor.ts";
import { type Floor, startFloor } from "./floor-process.ts";
import type { Measurement } from "./measurement.ts";
import { residentBytes } from "./memory.ts";
import { smallPage } from "./scenarios.ts";
import type { Family, Workbench } from "./workbench.ts";

const LEVELS = [2, 3, 4];
const CAPTURES = 60;
const ROUNDS = 3;

/** Long enough for the pool to start another sandbox for whoever waits. */
const WARM_UP_DELAY_S = "3";

/** Each process makes its first captures while it still grows. */
const SETTLING_CAPTURES = 5;

const partOf = (level: number) => `${level} at a time`;

export const throughput: Family = {
  name: "throughput",
  parts: LEVELS.map(partOf),
  async measure(wanted, bench) {
    const rows = [["at a time", "captures", "script", "ours", "ratio", "script", "ours", "ratio", "errors", "memory"]];
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    for (const level of LEVELS.filter((each) => wanted.includes(partOf(each)))) {
      const { count, floor, ours, errors, before, after } = await measureLevel(level, bench);
      const [rates, times] = [median(ours.rates) / median(floor.rates), median(floor.cpuMs) / median(ours.cpuMs)];
      rows.push([
        partOf(level),
        String(count),
        `${median(floor.rates).toFixed(2)}/s (${floor.way})`,
        `${median(ours.rates).toFixed(2)}/s`,
        rates.toFixed(2),
        milliseconds(median(floor.cpuMs)),
        milliseconds(median(ours.cpuMs)),
        times.toFixed(2),
        String(errors.length),
        `${megabytes(median(before))}, ${megabytes(median(after))}`,
      ]);
      const name = `throughput: ${partOf(level)}`;
      measurements.push(
        { name: `${name}, script`, unit: "captures/s", samples: floor.rates, isFloor: true },
        { name: `${name}, ours`, unit: "captures/s", samples: ours.rates },
        { name: `${name}, processor time of the script`, unit: "ms", samples: floor.cpuMs, isFloor: true },
        { name: `${name}, processor time of ours`, unit: "ms", samples: ours.cpuMs },
        { name: `${name}, function's memory after`, unit: "MB", samples: after.map(inMegabytes) },
      );
      if (errors.length > 0) failures.push(`${errors.length} captures failed with ${partOf(level)}: ${errors[0]}`);
      bench.done(`throughput, ${partOf(level)}`);
    }
    const heading =
      "Small pages per second, and the processor time of each, in the processes of the script and of the function with " +
      "their browsers; ratios above 1 are better than the script. Memory of the functions' processes before and after:";
    return { text: `${heading}\n\n${table(rows)}`, measurements, failures };
  },
};

/** In rounds, in each of which the script takes as many as the service, right before it. */
async function measureLevel(level: number, bench: Workbench) {
  const count = Math.max(level, Math.ceil(Math.min(CAPTURES, bench.runs * ROUNDS) / ROUNDS));
  const floors = await Promise.all(Array.from({ length: level }, () => startFloor(bench.folder())));
  const url = `${(await bench.site()).origin}${smallPage.path}`;
  const ways = waysOf(floors, { url, job: smallPage.job });
  const service = await readyService(level, bench);
  const before = await service.memory();
  const ours: Rates = { rates: [], cpuMs: [] };
  using ofFloors = openCpuMeter(floors.map(({ pid }) => pid));
  using ofService = openCpuMeter(service.processes);
  for (const { take } of ways) await take(level);
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) await rate(way, { count, meter: ofFloors, work: () => way.take(count) });
    await rate(ours, { count, meter: ofService, work: () => atATime(level, count, service.take) });
  }
  const after = await service.memory();
  for (const floor of floors) floor.close();
  const floor = ways.reduce((best, each) => (median(each.rates) > median(best.rates) ? each : best));
  return { count: count * ROUNDS, floor, ours, errors: service.errors, before, after };
}

interface Rates {
  /** Captures per second in each round. */
  readonly rates: number[];
  /** Milliseconds of processor time of a capture in each round. */
  readonly cpuMs: number[];
}

interface Way extends Rates {
  readonly way: string;
  take(count: number): Promise<unknown>;
}

/** All ways of the script to take as many at a time as there are floors: the fastest counts. */
function waysOf(floors: readonly Floor[], request: FloorRequest): [Way, ...Way[]] {
  const [one] = floors as [Floor, ...Floor[]];
  const atOnce = floors.length;
  const painted: FloorRequest = { ...request, painting: "on-demand" };
  return [
    { way: "1 process", rates: [], cpuMs: [], take: (count) => one.burst(request, { count, atOnce }) },
    { way: "1 process, begin-frame", rates: [], cpuMs: [], take: (count) => one.burst(painted, { count, atOnce }) },
    { way: `${atOnce} processes`, rates: [], cpuMs: [], take: (count) => inProcesses(floors, request, count) },
    {
      way: `${atOnce} processes, begin-frame`,
      rates: [],
      cpuMs: [],
      take: (count) => inProcesses(floors, painted, count),
    },
  ];
}

/** Each process takes its share, one after the other. */
async function inProcesses(floors: readonly Floor[], request: FloorRequest, count: number): Promise<void> {
  const shares = floors.map((_, index) => Math.floor((count + index) / floors.length));
  await Promise.all(floors.map((floor, index) => floor.burst(request, { count: shares[index] ?? 0, atOnce: 1 })));
}

/** With an account of its own: others have used up some of what an account may send in a minute. */
async function readyService(level: number, bench: Workbench) {
  const captures = await bench.crowded();
  const url = `${(await bench.site()).origin}${smallPage.path}`;
  const key = await captures.openAccount();
  await startSandboxes(captures, url, level);
  const errors: string[] = [];
  const take = () => captures.take(url, smallPage.options, key).catch((error) => errors.push(String(error)));
  await atATime(level, level * SETTLING_CAPTURES, take);
  const processes = (await captures.sandboxes("Screenshot")).map(({ pid }) => pid);
  return { take, errors, processes, memory: () => Promise.all(processes.map(residentBytes)) };
}

/** Captures that take long, until there are as many processes: Lambda starts one for each, the pool for who waits long. */
async function startSandboxes(captures: Captures, url: string, level: number): Promise<void> {
  const slow = () => captures.take(url, { delay: WARM_UP_DELAY_S });
  for (let tries = 0; tries < level; tries++) {
    if ((await captures.sandboxes("Screenshot")).length >= level) return;
    await Promise.all(Array.from({ length: level }, slow));
  }
}

/** Does something `count` times, `level` of them at a time: whoever is done begins the next. */
async function atATime(level: number, count: number, take: () => Promise<unknown>): Promise<void> {
  let begun = 0;
  const caller = async () => {
    while (begun++ < count) await take();
  };
  await Promise.all(Array.from({ length: level }, caller));
}

async function rate(
  { rates, cpuMs }: Rates,
  { count, meter, work }: { readonly count: number; readonly meter: CpuMeter; readonly work: () => Promise<unknown> },
): Promise<void> {
  const [begun, used] = [performance.now(), meter.milliseconds()];
  await work();
  rates.push((count * 1000) / (performance.now() - begun));
  cpuMs.push((meter.milliseconds() - used) / count);
}
