// `npm run bench`: time and memory of captures, compared with bare scripts on the same Chromium.
import { join, resolve } from "node:path";
import { captureTimes, largeCaptures, livelyTimes, settlingTimes } from "../lib/tools/measure/capture-times.ts";
import { coldStart } from "../lib/tools/measure/cold-start.ts";
import { benchUsage, parseCommand, wantedParts } from "../lib/tools/measure/command.ts";
import { changeTable, compareRuns, machineBetween, regressions } from "../lib/tools/measure/comparison.ts";
import { firstStart } from "../lib/tools/measure/first-start.ts";
import { joinReports, type Report } from "../lib/tools/measure/measurement.ts";
import { outputsCost } from "../lib/tools/measure/outputs-cost.ts";
import { readRun, savedRun, writeRun } from "../lib/tools/measure/saved-run.ts";
import { throughput } from "../lib/tools/measure/throughput.ts";
import { verdictAccuracy } from "../lib/tools/measure/verdict-accuracy.ts";
import { verdictCost } from "../lib/tools/measure/verdict-cost.ts";
import { video } from "../lib/tools/measure/video.ts";
import { type BenchGroup, openWorkbench } from "../lib/tools/measure/workbench.ts";

const families: readonly BenchGroup[] = [
  captureTimes,
  settlingTimes,
  livelyTimes,
  verdictCost,
  verdictAccuracy,
  outputsCost,
  coldStart,
  firstStart,
  throughput,
  largeCaptures,
  video,
];

const project = resolve(import.meta.dirname, "..");
const command = parseCommand(process.argv.slice(2), join(project, "lib/tools/measure/saved/last.json"));
const wanted = families
  .map((family) => ({ family, parts: wantedParts(family, command?.only ?? "") }))
  .filter(({ parts }) => parts.length > 0);
if (!command || wanted.length === 0) {
  console.error(benchUsage(families));
  process.exit(2);
}

const earlier = command.compare === undefined ? undefined : readRun(command.compare);
const report = await measure(command.runs, command.only !== "");
if (command.save !== undefined) writeRun(command.save, savedRun(project, report.measurements));
const failures = [...report.failures];
if (earlier) {
  const all = compareRuns(earlier.measurements, report.measurements);
  const table = changeTable(all, machineBetween(earlier.measurements, report.measurements));
  console.log(`Compared with the run of ${earlier.date} at ${earlier.commit}. ${table}\n`);
  failures.push(...regressions(all));
}
for (const failure of failures) console.error(failure);
process.exit(failures.length > 0 ? 1 : 0);

async function measure(runs: number, isChosen: boolean): Promise<Report> {
  const done = (what: string) => console.log(`${what}: done`);
  await using bench = openWorkbench({ project, runs, isChosen, done });
  const stop = () => void bench[Symbol.asyncDispose]().then(() => process.exit(1));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop); // otherwise functions and browsers would keep running
  const reports: Report[] = [];
  for (const { family, parts } of wanted) {
    const report = await family.measure(parts, bench);
    console.log(`\n${report.text}\n`);
    reports.push(report);
  }
  return joinReports(reports);
}
