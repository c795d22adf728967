// What it costs to judge a page, and to report on its capture: the same pages without it, with it, and with a report, in turns.
import { join } from "node:path";
import { chromiumFiles } from "../../../test/fixtures/chromium-files.ts";
import { defaultLimits } from "../../contract/options/capture-limits.ts";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { createFilterLists } from "../../engine/adblock/filter-lists.ts";
import { launchBrowser } from "../../engine/browser/browser.ts";
import { type BrowserUse, browserUseFor } from "../../engine/browser/browser-use.ts";
import { runBrowserAttempt } from "../../engine/pipeline/browser-attempt.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { planCapture } from "../../engine/pipeline/plan/plan.ts";
import { createBudget } from "../../engine/timing/budget.ts";
import { figureTable, median, milliseconds } from "./figures.ts";
import type { Measurement, Report } from "./measurement.ts";
import type { BenchGroup } from "./workbench.ts";

interface JudgedPage {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const CARDS_IN_SECTION = 3;
const ELEMENTS_IN_CARD = 6;

/** A page of cards, as shops and dashboards have them, with about as many elements; a script makes them, because HTML has a limit. */
function cards(elements: number): string {
  const card = `<article class="card"><h3>Oak serving board</h3><p>Oiled by hand, and large enough for a <b>loaf</b> and a <a href="#">wedge</a>.</p><button>Buy</button></article>`;
  const sections = Math.round(elements / (CARDS_IN_SECTION * ELEMENTS_IN_CARD + 1));
  const section = JSON.stringify(`<section class="grid">${card.repeat(CARDS_IN_SECTION)}</section>`);
  return `<!doctype html><style>body{font:16px Arial}.grid{display:grid;grid-template-columns:repeat(3,1fr);gap:10px}.card{border:1px solid #ccc}</style><main></main><script>document.querySelector("main").innerHTML=${section}.repeat(${sections})</script>`;
}

const judged: readonly JudgedPage[] = [
  { name: "small page", options: { html: "<h1>Hello</h1><p>A small page with a paragraph.</p>" } },
  { name: "2,000 elements", options: { html: cards(2_000) } },
  { name: "2,000 elements, full page", options: { html: cards(2_000), full_page: true } },
  { name: "200,000 elements", options: { html: cards(200_000) } },
];

/** The slowest page has fewer turns. */
const LARGE_RUNS = 5;

export const verdictCost: BenchGroup = {
  name: "verdict",
  parts: judged.map(({ name }) => name),
  async measure(wanted, bench) {
    const rows = [["capture", "runs", "not judged", "judged", "more", "with a report", "more"]];
    const measurements: Measurement[] = [];
    for (const { name, options } of judged.filter((page) => wanted.includes(page.name))) {
      const runs = name.startsWith("200,000") ? Math.min(LARGE_RUNS, bench.runs) : bench.runs;
      const times = await takeTurns(options, runs);
      const verdict = differences(times.judged, times.plain);
      const report = differences(times.reported, times.judged);
      rows.push([
        name,
        String(runs),
        milliseconds(median(times.plain)),
        milliseconds(median(times.judged)),
        milliseconds(median(verdict)),
        milliseconds(median(report.map((more, turn) => more + (verdict[turn] ?? 0)))),
        milliseconds(median(report)),
      ]);
      measurements.push(
        { name: `verdict: ${name}`, unit: "ms", samples: verdict },
        { name: `report: ${name}`, unit: "ms", samples: report },
      );
      bench.done(name);
    }
    const text = `Captures without a verdict, with it, and with a report too, in turns; "more" are medians of the differences:\n\n${figureTable(rows)}`;
    return { text, measurements, failures: [] } satisfies Report;
  },
};

type Kind = "plain" | "judged" | "reported";

async function takeTurns(options: JudgedPage["options"], runs: number): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { plain: [], judged: [], reported: [] };
  const kinds: readonly Kind[] = ["plain", "judged", "reported"];
  for (const kind of kinds) await captureOnce(options, kind); // the first of each loads what the others find
  for (let turn = 0; turn < runs; turn++) {
    for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed()) times[kind].push(await captureOnce(options, kind));
  }
  return times;
}

const differences = (values: readonly number[], baseline: readonly number[]) =>
  values.map((value, turn) => value - (baseline[turn] ?? Number.NaN));

const STEPS: readonly string[] = ["judge-page", "record-page-errors"];

/** Milliseconds from a browser that is ready to the picture. */
async function captureOnce(sent: JudgedPage["options"], kind: Kind): Promise<number> {
  const options = parseCaptureOptions({ ...sent, ...(kind === "reported" && { metadata_report: true }) });
  const files = await chromiumFiles();
  const launch = ({ frameMode }: BrowserUse) =>
    launchBrowser({ files, allowed: new Set(), limits: defaultLimits, frameMode });
  const whole = planCapture(options);
  const keep = <T extends { readonly name: string }>(steps: readonly T[]) =>
    kind === "plain" ? steps.filter(({ name }) => !STEPS.includes(name)) : steps;
  const browser = await launch(browserUseFor(options));
  const [startedAt, clock] = [performance.now(), new PhaseClock()];
  const plan = { ...whole, prepare: keep(whole.prepare), capture: keep(whole.capture) };
  const lists = createFilterLists(join(import.meta.dirname, "../../../layers/blocking/dist"));
  await runBrowserAttempt({
    options,
    plan,
    variant: {},
    browser: Promise.resolve(browser),
    launch,
    lists,
    budget: createBudget(startedAt, options.timeout),
    startedAt,
    clock,
  });
  return performance.now() - startedAt;
}
