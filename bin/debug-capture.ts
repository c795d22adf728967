// `npm run debug`: runs one capture in this process, and keeps its result, a trace of Chromium, and the times of its steps.
import { existsSync, readFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { debugCapture } from "../lib/tools/debug/debug-capture.ts";
import { findOnPath } from "../lib/tools/debug/find-on-path.ts";
import { figureTable } from "../lib/tools/measure/figures.ts";

const USAGE = `Usage: npm run debug -- <URL, HTML file, or Markdown file> [<options>]

  --option <name=value>    an option of the capture, such as full_page=true; repeatable
  --output <folder>        for the result, trace.json, and steps.json (.local/debug)
  --keep-profile           also keep the browser's profile: cookies, caches, and databases
  --headful                show the capture in a window of a full Chrome, without begin-frame control; needs a display
  --chrome <path>          the Chrome for --headful (google-chrome or chromium of the PATH)`;

const project = resolve(import.meta.dirname, "..");
const command = readCommand();
if (typeof command === "string") {
  console.error(`${command}\n\n${USAGE}`);
  process.exit(2);
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // ends the browser, too

const { outcome, steps, files, problems } = await debugCapture(command.options, command.settings);
const rows = steps.map(({ phase, name, startedMs, durationMs }) => [
  name,
  phase,
  ...[startedMs, durationMs].map((time) => `${time.toFixed(1)} ms`),
]);
console.log(figureTable([["step", "phase", "started", "took"], ...rows]));
const warnings = outcome instanceof Error ? [] : outcome.warnings;
for (const warning of warnings) console.log(`Warning: ${warning}`);
for (const file of files) console.log(`Kept ${file}`);
for (const problem of problems) console.error(problem);
if (outcome instanceof Error) console.error("code" in outcome ? `${outcome.code}: ${outcome.message}` : outcome);
process.exit(outcome instanceof Error ? 1 : 0);

function readCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        option: { type: "string", multiple: true, default: [] },
        output: { type: "string", default: join(project, ".local/debug") },
        "keep-profile": { type: "boolean", default: false },
        headful: { type: "boolean", default: false },
        chrome: { type: "string" },
      },
    });
    const [page, ...others] = positionals;
    if (page === undefined || others.length > 0) return "Name one page.";
    const chrome = values.headful ? (values.chrome ?? findOnPath("google-chrome", "chromium")) : undefined;
    if (values.headful && (chrome === undefined || !existsSync(chrome))) {
      return "There is no full Chrome. Name one with --chrome, or leave out --headful.";
    }
    if (values.headful && !process.env["DISPLAY"])
      return "There is no display: DISPLAY is not set. Leave out --headful.";
    const pairs = values.option.map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      return [name, rest.join("=")];
    });
    return {
      options: { ...readInput(page), ...Object.fromEntries(pairs) },
      settings: {
        output: resolve(values.output),
        allow: localHost(page),
        keepsProfile: values["keep-profile"],
        chrome,
      },
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readInput(page: string): Record<string, string> {
  if (/^https?:/i.test(page)) return { url: page };
  return { [extname(page) === ".md" ? "markdown" : "html"]: readFileSync(page, "utf8") };
}

/** A developer may debug a page of a server on this machine, which captures otherwise don't reach. */
function localHost(page: string): string[] {
  const { hostname = "", port = "", protocol = "" } = URL.parse(page) ?? {};
  if (!/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return [];
  return [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
}
