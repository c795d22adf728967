// `npm run visual-diff`: compares our full pages with what plain Chromium shows while it scrolls through the same pages.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { figureTable } from "../lib/tools/measure/figures.ts";
import { NpmPackages } from "../lib/tools/measure/visual-diff/npm-packages.ts";
import { packagePages } from "../lib/tools/measure/visual-diff/package-pages.ts";
import { relationNames } from "../lib/tools/measure/visual-diff/relations.ts";
import { type DiffedPage, diffPage, type PageDiff } from "../lib/tools/measure/visual-diff/run-visual-diff.ts";
import { startFolderSite } from "../test/fixtures/folder-site.ts";
import type { Site } from "../test/fixtures/site.ts";

const USAGE = `Usage: npm run visual-diff -- [<pages>] [<options>]

Pages: URLs, HTML files, or folders of HTML files. Without any, the pages of npm packages in lib/tools/measure/visual-diff/package-pages.ts.
  --list <file>            a file with one of these on each line
  --only <text>            only pages whose name contains this text
  --option <name=value>    an option of the capture, such as full_page_algorithm=by_sections; repeatable
  --viewport <w>x<h>       the window in CSS pixels (1280x1024)
  --scale <number>         device pixels per CSS pixel (1)
  --parallel <1 or 2>      pages at a time (1)
  --relations              also compare captures of each page with each other
  --threshold <percent>    of differing tiles from which both pictures are saved (1)
  --output <folder>        for pictures (.local/visual-diff)
  --json                   print the result as JSON`;

const project = resolve(import.meta.dirname, "..");
const command = readCommand();
if (!command) {
  console.error(USAGE);
  process.exit(2);
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // ends the browsers, too

const packages = new NpmPackages(join(project, ".local/npm-packages"));
const sites = new Map<string, Promise<Site>>();
const pages = (await Promise.all(command.pages.map(findPages)))
  .flat()
  .filter(({ name }) => name.includes(command.only));
const isOffline = pages.every(({ hostPort }) => hostPort !== undefined);
const settings = { ...command.settings, isOffline };

const waiting = [...pages];
const diffs: PageDiff[] = [];
await Promise.all(
  Array.from({ length: command.parallel }, async () => {
    for (let page = waiting.shift(); page; page = waiting.shift()) {
      const diff = await diffPage(page, settings);
      diffs.push(diff);
      if (!command.isJson) console.log(progressLine(diff));
    }
  }),
);
diffs.sort((one, other) => (other.share ?? 2) - (one.share ?? 2));
console.log(command.isJson ? JSON.stringify(diffs, null, 2) : `\n${report(diffs)}`);
for (const site of sites.values()) await (await site).close();
process.exitCode = diffs.some(isWrong) ? 1 : 0;

function isWrong({ share, hasOtherSize, error, relations }: PageDiff): boolean {
  const differs = hasOtherSize || (share ?? 0) > settings.threshold;
  return error !== undefined || differs || relations.some(({ isBroken }) => isBroken);
}

function readCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        list: { type: "string" },
        only: { type: "string", default: "" },
        option: { type: "string", multiple: true, default: [] },
        viewport: { type: "string", default: "1280x1024" },
        scale: { type: "string", default: "1" },
        parallel: { type: "string", default: "1" },
        relations: { type: "boolean", default: false },
        threshold: { type: "string", default: "1" },
        output: { type: "string", default: join(project, ".local/visual-diff") },
        json: { type: "boolean", default: false },
      },
    });
    const [, width, height] = /^(\d+)x(\d+)$/.exec(values.viewport) ?? [];
    const [scale, parallel, threshold] = [values.scale, values.parallel, values.threshold].map(Number);
    if (
      !width ||
      !height ||
      !(scale && scale > 0) ||
      !(parallel === 1 || parallel === 2) ||
      !(threshold !== undefined && threshold >= 0)
    )
      return undefined;
    const listed = values.list === undefined ? [] : readFileSync(values.list, "utf8").split("\n");
    const named = [...positionals, ...listed.map((line) => line.trim()).filter((line) => line !== "")];
    return {
      pages: named.length > 0 ? named : packagePages,
      only: values.only,
      parallel,
      isJson: values.json,
      settings: {
        options: Object.fromEntries(values.option.map((option) => splitOnce(option, "="))),
        viewport: { width: Number(width), height: Number(height) },
        scale,
        threshold: threshold / 100,
        folder: resolve(values.output),
        relations: values.relations ? relationNames : [],
      },
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at < 1) throw new Error(`'${text}' has no name and value, as in full_page_algorithm=by_sections.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The pages of a URL, a file, a folder, or a package, served where they are files. */
async function findPages(target: string | (typeof packagePages)[number]): Promise<DiffedPage[]> {
  if (typeof target !== "string") {
    const spec = `${target.package}@${target.version}`;
    const wanted = target.pages.filter((path) => `${spec}/${path}`.includes(command?.only ?? ""));
    if (wanted.length === 0) return [];
    const site = await siteAt(spec, () => packages.serve(spec, target.root ?? ""));
    return wanted.map((path) => pageOf(site, path, `${spec}/${path}`));
  }
  if (/^https?:/.test(target)) {
    const { hostname, host } = new URL(target);
    const isLocal = hostname === "127.0.0.1";
    return [{ name: target, url: target, ...(isLocal && { hostPort: host }) }];
  }
  const path = resolve(target);
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const site = await siteAt(folder, () => startFolderSite(folder));
  if (folder !== path) return [pageOf(site, basename(path), target)];
  const files = readdirSync(folder).filter((name) => /\.html?$/.test(name));
  return files.map((name) => pageOf(site, name, join(target, name)));
}

function siteAt(key: string, start: () => Promise<Site>): Promise<Site> {
  const site = sites.get(key) ?? start();
  sites.set(key, site);
  return site;
}

function pageOf({ origin, hostPort }: Site, path: string, name: string): DiffedPage {
  return {
    name,
    url: `${origin}/${path.split("/").map(encodeURIComponent).join("/")}`,
    hostPort,
  };
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(share * 100).toFixed(2)} %`;
}

function progressLine({ name, share, error }: PageDiff): string {
  return `${percent(share).padStart(9)}  ${name}${error ? `: ${error}` : ""}`;
}

function report(diffs: readonly PageDiff[]): string {
  const rows = diffs.map(({ name, share, size = "", visitedSize = "", captureMs, warnings, relations, error }) => {
    const sizes = size === visitedSize ? size : `${size} (${visitedSize})`;
    const broken = relations.filter(({ isBroken }) => isBroken).map((relation) => relationNumber(relation.name));
    const time = captureMs === undefined ? "" : `${captureMs} ms`;
    return [name, error ? "failed" : percent(share), sizes, time, String(warnings.length), broken.join(" ")];
  });
  const head = ["page", "differs", "size (visited)", "time", "warnings", "broken relations"];
  const details = diffs.flatMap(({ name, error, warnings, relations, pictures }) => {
    const broken = relations.filter(({ isBroken }) => isBroken);
    const lines = [
      ...(error ? [`failed: ${error}`] : []),
      ...warnings.map((warning) => `warning: ${warning}`),
      ...broken.map(({ name, share, error }) => `broken: ${name}: ${error ?? percent(share)}`),
      ...pictures,
    ];
    return lines.length > 0 ? [`${name}\n${lines.map((line) => `  ${line}`).join("\n")}`] : [];
  });
  const wrong = diffs.filter(isWrong).length;
  return `${figureTable([head, ...rows])}\n\n${details.join("\n")}\n\n${diffs.length - wrong} of ${diffs.length} pages are right.`;
}

function relationNumber(name: (typeof relationNames)[number]): number {
  return relationNames.indexOf(name) + 1;
}
