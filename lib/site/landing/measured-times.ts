// Three times of the page Compare in large type, and the command that measures them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html } from "../html.ts";
import { BASE_PATH } from "../site-files.ts";

/** Rows of the page Compare, by how they start, and how the landing page calls them. */
const SHOWN = [
  ["Full page with lazy images", "a full page of 10,000 pixels with lazy images"],
  ["Dashboard whose charts", "a dashboard whose charts draw themselves"],
  ["PDF of a long article", "the PDF of a long article"],
] as const;

interface MeasuredTime {
  readonly what: string;
  readonly script: string;
  readonly service: string;
  /** How many times faster the service is than the script, such as `2.3`. */
  readonly ratio: string;
}

/** Throws when the page Compare lacks a row or says when nothing was measured. */
function readTimes(): { readonly times: readonly MeasuredTime[]; readonly measuredOn: string } {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/compare.md"), "utf8");
  const [measuredOn] = /\d{4}-\d{2}-\d{2}/.exec(page) ?? [];
  const times = SHOWN.map(([start, what]) => {
    const row = page.split("\n").find((line) => line.startsWith(`| ${start}`));
    const [script = "", service = ""] =
      row
        ?.split("|")
        .slice(2, 4)
        .map((cell) => cell.trim()) ?? [];
    const ratio = milliseconds(script) / milliseconds(service);
    if (!(ratio > 1)) throw new Error(`docs/compare.md has no row “${start} …” in which the service is faster.`);
    return { what, script, service, ratio: ratio.toFixed(1) };
  });
  if (measuredOn === undefined) throw new Error("docs/compare.md doesn't say when its times were measured.");
  return { times, measuredOn };
}

const milliseconds = (time: string): number => Number(time.replaceAll(/\D/g, "")) || Number.NaN;

const { times, measuredOn } = readTimes();

export const measuredTimes = html`<section class="measured"><h2>Measured, not promised</h2>
<ul>${times.map(
  ({ what, script, service, ratio }) =>
    html`<li><strong>${ratio} ×</strong><span>as fast for ${what}: ${service}, not ${script}</span></li>`,
)}</ul>
<p>Medians on two cores, ${measuredOn}, next to a bare Puppeteer script that waits as long as the same picture needs. Run
<code>npm run bench</code> yourself, or <a href="${BASE_PATH}/docs/compare">read all figures</a>, with those in which the script is faster.</p>
</section>`;
