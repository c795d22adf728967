// Cold starts: the screenshot function until Chromium is ready, and every other function compared with an empty one.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FunctionDefinition } from "../local/lambda/function-definition.ts";
import { toConstructId } from "./captures.ts";
import { type ColdFunctions, type ColdStart, openColdFunctions } from "./cold-sandbox.ts";
import { figureTable, median, milliseconds, pairwiseRatios } from "./figures.ts";
import { startPackageFloor } from "./floor-process.ts";
import { joinReports, type Measurement, type Report } from "./measurement.ts";
import type { PackageStart } from "./package-floor.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const STARTS = 5;

const CHROMIUM = "cold start of Chromium";
const FUNCTIONS = "cold start of the other functions";

export const coldStart: BenchGroup = {
  name: "cold start",
  parts: [CHROMIUM, FUNCTIONS],
  async measure(wanted, bench) {
    const functions = await openColdFunctions(bench);
    const starts = Math.min(STARTS, bench.runs);
    const reports: Report[] = [];
    if (wanted.includes(CHROMIUM)) reports.push(await measureChromium(functions, starts, bench));
    if (wanted.includes(FUNCTIONS)) reports.push(await measureOthers(functions, starts, bench));
    return joinReports(reports);
  },
};

async function measureChromium(functions: ColdFunctions, starts: number, bench: Workbench): Promise<Report> {
  const ours: ColdStart[] = [];
  const packages: PackageStart[] = [];
  for (let start = 0; start < starts; start++) {
    const { floor, start: ofPackage } = await startPackageFloor(bench.folder());
    floor.close();
    packages.push(ofPackage);
    ours.push(await functions.capture());
    bench.done(`cold start ${start + 1} of ${starts}`);
  }
  const ofPackage = {
    import: packages.map(({ importedMs }) => importedMs),
    unpacked: packages.map(({ unpackedMs }) => unpackedMs),
    launch: packages.map(({ readyMs, unpackedMs }) => readyMs - unpackedMs),
    ready: packages.map(({ readyMs }) => readyMs),
  };
  const ofOurs = {
    import: ours.map(({ initMs }) => initMs),
    unpacked: ours.map(({ unpackedMs }) => unpackedMs),
    // It begins when both the files and the event are there.
    launch: ours.map(({ readyMs, unpackedMs, initMs }) => readyMs - Math.max(unpackedMs, initMs)),
    ready: ours.map(({ readyMs }) => readyMs),
    answered: ours.map(({ answeredMs }) => answeredMs),
  };
  const rows = [
    ["", "modules loaded", "files unpacked", "launch", "ready", "small page answered"],
    ["package", ...Object.values(ofPackage).map((times) => milliseconds(median(times))), ""],
    ["ours", ...Object.values(ofOurs).map((times) => milliseconds(median(times)))],
    ["ratio", "", "", "", (median(ofOurs.ready) / median(ofPackage.ready)).toFixed(2), ""],
  ];
  const named = (who: "package" | "ours", times: Readonly<Record<string, readonly number[]>>) =>
    Object.entries(times).map(([what, samples]): Measurement => {
      return { name: `cold start: ${who}, ${what}`, unit: "ms", samples, isFloor: who === "package" };
    });
  const ratio = pairwiseRatios(ofOurs.ready, ofPackage.ready);
  return {
    text: `From the start of the process until Chromium can be given its first page, medians of ${starts}:\n\n${figureTable(rows)}`,
    measurements: [
      ...named("package", ofPackage),
      ...named("ours", ofOurs),
      { name: "cold start: ours against package", unit: "ratio", samples: ratio },
    ],
    failures: [],
  };
}

/**
 * Until the runtime polls for the first event, less the same of a function without code: what Node and the runtime client take
 * is the same for both, and not ours to change.
 */
async function measureOthers(functions: ColdFunctions, starts: number, bench: Workbench): Promise<Report> {
  const others = functions.definitions.filter(({ logicalId }) => !/^(Screenshot|Render)/.test(logicalId));
  const [example] = others;
  if (!example) throw new Error("The template has no other functions.");
  const empty = emptyFunction(example, bench.folder());
  const own = new Map(others.map((definition): [FunctionDefinition, number[]] => [definition, []]));
  const base: number[] = [];
  for (let start = -1; start < starts; start++) {
    const ofEmpty = await functions.initMs(empty);
    if (start >= 0) base.push(ofEmpty);
    for (const [definition, times] of own) {
      const initMs = await functions.initMs(definition);
      if (start >= 0) times.push(initMs); // the first time, its files are not in memory
    }
    bench.done(`start ${start + 1} of ${starts} of the other functions`);
  }
  const rows = [...own].map(([{ logicalId }, times]) => [
    toConstructId(logicalId),
    milliseconds(median(times)),
    milliseconds(median(times) - median(base)),
  ]);
  const head = [["function", "until the first event", "without Node's own"]];
  const last = [["empty", milliseconds(median(base)), ""]];
  return {
    text: `Start of the functions without Chromium, medians of ${starts}:\n\n${figureTable([...head, ...rows, ...last])}`,
    measurements: [...own].map(([{ logicalId }, times]) => ({
      name: `cold start: ${toConstructId(logicalId)}, its own`,
      unit: "ms",
      samples: times.map((time, index) => time - (base[index] ?? 0)),
    })),
    failures: [],
  };
}

function emptyFunction(like: FunctionDefinition, folder: string): FunctionDefinition {
  const code = join(folder, "empty");
  mkdirSync(code);
  writeFileSync(join(code, "index.mjs"), "export const handler = async () => ({ statusCode: 204 });\n");
  return { ...like, code, handler: "index.handler" };
}
