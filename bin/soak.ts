// `npm run soak`: thousands of captures, 40 % of them of hostile pages, and checks for leaks.
import { figureTable, median } from "../lib/tools/measure/figures.ts";
import { firstAndLastTenth, groupByProcess, medianMemory, medianOpenFiles } from "../lib/tools/stress/soak/leaks.ts";
import type { Observation } from "../lib/tools/stress/soak/observation.ts";
import { runSoak } from "../lib/tools/stress/soak/soak.ts";
import { freshSeed, openStressLog, parseNumbers, printCounts } from "../lib/tools/stress/stress-command.ts";

const { captures, seed, callers } = parseNumbers("soak", { captures: 3_000, seed: freshSeed(), callers: 3 });
const log = openStressLog(`soak-${seed}`);
console.log(
  `${captures} captures, seed ${seed}. The log of the functions is ${log.path}. Ctrl-C stops the run and prints its results.`,
);
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => ending.abort());
const report = await runSoak({
  captures,
  seed,
  callers,
  signal: ending.signal,
  onProgress: (line) => console.log(line),
  onLog: log.append,
});

printCounts(report.counts);
console.log(`\nFunctions while the service was idle:\n\n${overTime(report.observations)}`);
console.log(
  `\nMedians of the first and the last tenth of the observations of each process, and the growth in between, in MB:\n\n${byProcess(report.observations)}\n`,
);
console.log(`${report.departures.length} processes ended${report.departures.length > 0 ? ":" : "."}`);
for (const departure of report.departures) console.log(`  ${departure}`);
for (const problem of report.problems) console.log(problem);
console.log(`soak: ${report.captures} captures, ${report.problems.length} problems`);
process.exitCode = report.problems.length === 0 ? 0 : 1;

function overTime(observations: readonly Observation[]): string {
  const head = ["captures", "seconds", "processes", "memory: median", "most", "files: most", "threads: most"];
  const rows = observations.map(({ captures, seconds, processes: held }) => {
    const most = (pick: (each: (typeof held)[number]) => number) => Math.max(0, ...held.map(pick));
    const memory = held.length > 0 ? median(held.map(({ rssMegabytes }) => rssMegabytes)) : 0;
    const figures = [captures, seconds, held.length, memory, most(({ rssMegabytes }) => rssMegabytes)];
    return [...figures, most(({ files }) => files), most(({ threads }) => threads)].map(String);
  });
  return figureTable([head, ...rows]);
}

function byProcess(observations: readonly Observation[]): string {
  const kinds = ["objects", "v8", "buffers", "heap", "anonymous", "files"] as const;
  const head = [
    "function",
    "pid",
    "observations",
    "MB",
    "MB at the end",
    ...kinds,
    "open files",
    "open files at the end",
  ];
  const rows = groupByProcess(observations).map((history) => {
    const { first, last } = firstAndLastTenth(history);
    const { name = "", pid = 0 } = history[0]?.process ?? {};
    const of = (some: typeof first, kind: (typeof kinds)[number]) => median(some.map((each) => each.kinds[kind]));
    const grown = kinds.map((kind) => of(last, kind) - of(first, kind));
    return [
      name,
      pid,
      history.length,
      medianMemory(first),
      medianMemory(last),
      ...grown,
      medianOpenFiles(first),
      medianOpenFiles(last),
    ].map(String);
  });
  return figureTable([head, ...rows]);
}
