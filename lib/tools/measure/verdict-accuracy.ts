// How often a verdict is wrong: right pages of npm packages that are accused, and planted faults that are not found.
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { engineCapture, type PageOptions } from "./engine-capture.ts";
import { figureTable } from "./figures.ts";
import type { Report } from "./measurement.ts";
import { type Half, type PackageSite, packageSites } from "./verdict-accuracy/package-sites.ts";
import { type PlantedFault, plantedFaults, plantingSites } from "./verdict-accuracy/planted-faults.ts";
import { isComplete, startStudySite } from "./verdict-accuracy/study-site.ts";
import { NpmPackages } from "./visual-diff/npm-packages.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

/** Of each package so many pages are captured at most. Others are in reserve, since some lack a file that a script requests. */
const MAX_PAGES: Readonly<Record<Half, number>> = { open: 5, reserved: 10 };
const RESERVE = 2;
const CONCURRENCY = 3;
/** Pages that are a sign-in form or an error page by their purpose, and parts of pages. */
const OTHER_PURPOSE =
  /40\d|50\d|error|log-?(?:in|out)|sign-?(?:in|up)|regist|forgot|recover|reset|lock|mainten|coming|auth|password|blank|empty|starter|frame|modal|dialog|popup|overlay|offcanvas|cookie|loader|loading|preload|spinner|placeholder|skeleton|progress-bar|_|test-runner/i;

const GOALS = { accused: 0.01, found: 0.9 };

const halves: readonly Half[] = ["open", "reserved"];
const partName = ({ package: name, half }: PackageSite) => `accuracy, ${half}: ${name}`;
const plantedName = (half: Half) => `accuracy, ${half}: planted faults`;

interface Judged {
  readonly name: string;
  readonly half: Half;
  /** The code that has to be found; undefined for a right page. */
  readonly expected?: string;
  readonly found: readonly string[];
}

export const verdictAccuracy: BenchGroup = {
  name: "accuracy",
  parts: halves.flatMap((half) => [
    ...packageSites.filter((site) => site.half === half).map(partName),
    plantedName(half),
  ]),
  async measure(wanted, bench) {
    if (!bench.isChosen)
      return { text: "Accuracy of verdicts: left out, because it fetches packages.", measurements: [], failures: [] };
    const packages = new NpmPackages(join(bench.project, ".local/npm-packages"));
    const judged: Judged[] = [];
    for (const site of packageSites.filter((each) => wanted.includes(partName(each)))) {
      judged.push(...(await judgeRightPages(site, packages, bench)));
      bench.done(partName(site));
    }
    for (const half of halves.filter((each) => wanted.includes(plantedName(each)))) {
      judged.push(...(await judgePlanted(half, packages, bench)));
      bench.done(plantedName(half));
    }
    return report(judged);
  },
};

async function judgeRightPages(site: PackageSite, packages: NpmPackages, bench: Workbench): Promise<Judged[]> {
  const spec = `${site.package}@${site.version}`;
  const folder = await packages.fetch(spec);
  await using served = await startStudySite(packages, spec);
  const captureUrl = engineCapture({ allow: [served.hostPort], isOffline: true });
  const waiting = await pagesIn(folder, site);
  const judged: Judged[] = [];
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (judged.length >= MAX_PAGES[site.half]) return;
      const captured = await attempt(captureUrl, {
        ...usual,
        url: served.url(path),
        full_page: waiting.length % 2 === 0,
        metadata_report: true,
      });
      // A page with a missing part is not right.
      if (captured.isIncomplete || captured.isFailed || judged.length >= MAX_PAGES[site.half]) continue;
      const found = captured.codes.filter((code) => !site.faulty?.[path]?.some((known) => known === code));
      const name = `${spec}/${path}`;
      judged.push({ name, half: site.half, found });
      if (found.length > 0) await save(bench, name, captured);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return judged;
}

/** Pages without a missing file, spread evenly over the sorted pages of the folders. */
async function pagesIn(folder: string, { folders, half }: PackageSite): Promise<string[]> {
  const complete: string[] = [];
  for (const under of folders) {
    const names = await readdir(join(folder, under)).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(".html") && !OTHER_PURPOSE.test(each)).toSorted()) {
      const path = join(under, name);
      if (await isComplete(folder, path)) complete.push(path);
    }
  }
  const most = Math.min(complete.length, RESERVE + MAX_PAGES[half]);
  return Array.from({ length: most }, (_, index) => complete[Math.floor((index * complete.length) / most)] ?? "");
}

async function judgePlanted(half: Half, packages: NpmPackages, bench: Workbench): Promise<Judged[]> {
  const judged: Judged[] = [];
  const bySite = Map.groupBy(plantedFaults(half), ({ site }) => site);
  for (const [index, faults] of bySite) {
    const site = plantingSites[half][index];
    if (!site) throw new Error(`There is no site ${index} in the ${half} half.`);
    await using served = await startStudySite(packages, site.spec);
    const captureUrl = engineCapture({ allow: [served.hostPort], isOffline: true });
    const waiting = [...faults];
    const work = async () => {
      for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
        const captured = await attempt(captureUrl, {
          ...usual,
          full_page: isJudgedOfAll(fault),
          ...fault.options,
          url: served.url(site.page, fault),
        });
        const name = `${half}/${fault.code}/${fault.name}-${fault.language}`;
        judged.push({ name, half, expected: fault.code, found: captured.codes });
        if (!captured.codes.includes(fault.code)) await save(bench, name, captured);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }
  return judged;
}

/** True for a problem that is only judged where all of the page is captured. */
function isJudgedOfAll({ code }: PlantedFault): boolean {
  return code === "CUT_OFF" || code === "HORIZONTAL_OVERFLOW";
}

/** Pages that fail a capture by themselves are captured here, to be judged. */
const usual = { viewport_width: 1280, viewport_height: 800, ignore_host_errors: true, timeout: 60 };

interface Attempted {
  readonly codes: readonly string[];
  readonly isFailed: boolean;
  readonly isIncomplete: boolean;
  readonly capture?: Capture;
}

async function attempt(
  captureUrl: (options: PageOptions) => Promise<Capture>,
  options: PageOptions,
): Promise<Attempted> {
  try {
    const capture = await captureUrl(options);
    const codes = capture.problems.map(({ code }) => code);
    return { codes, capture, isFailed: false, isIncomplete: (capture.report?.requests.failed ?? 0) > 0 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { codes: [error.code], isFailed: true, isIncomplete: false };
  }
}

/** Keeps the picture and the problems of what is to be looked at. */
async function save({ project }: Workbench, name: string, { capture, codes }: Attempted): Promise<void> {
  const folder = join(project, ".local/verdict-accuracy");
  await mkdir(folder, { recursive: true });
  const path = join(folder, name.replaceAll(/[^\w.@-]+/g, "_"));
  await writeFile(`${path}.json`, JSON.stringify(capture?.problems ?? codes, null, 2));
  if (capture) await writeFile(`${path}.png`, capture.body);
}

function report(judged: readonly Judged[]): Report {
  const failures: string[] = [];
  const rows = [["half", "right pages", "accused", "planted faults", "found"]];
  for (const half of halves) {
    const own = judged.filter((each) => each.half === half);
    const right = own.filter(({ expected }) => expected === undefined);
    const accused = right.filter(({ found }) => found.length > 0);
    const planted = own.filter(({ expected }) => expected !== undefined);
    const missed = planted.filter(({ expected, found }) => !found.includes(expected ?? ""));
    if (own.length === 0) continue;
    rows.push([half, ...[right.length, accused.length, planted.length, planted.length - missed.length].map(String)]);
    if (accused.length > Math.ceil(GOALS.accused * right.length))
      failures.push(`${accused.length} of ${right.length} right pages are accused.`);
    if (planted.length - missed.length < GOALS.found * planted.length)
      failures.push(`${missed.length} of ${planted.length} planted faults are not found.`);
  }
  const lines = judged.flatMap(({ name, expected, found }) => {
    if (expected === undefined) return found.length > 0 ? [`accused: ${name}: ${found.join(", ")}`] : [];
    return found.includes(expected) ? [] : [`missed: ${name}: ${found.join(", ") || "nothing"}`];
  });
  const counts = Map.groupBy(
    judged.filter(({ expected }) => expected === undefined),
    ({ name }) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name,
  );
  return {
    text: `Right pages that are accused, and planted faults that are found:\n\n${figureTable(rows)}\n\n${lines.join("\n")}\n\nPages: ${[...counts].map(([name, list]) => `${name} ${list.length}`).join(", ")}`,
    measurements: [],
    failures,
  };
}
