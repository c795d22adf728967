// The AWS cost of 1,000 captures of each kind, compared with the price of the plans.
import { plans } from "../../contract/plans.ts";
import { stageConfig } from "../../infra/stages.ts";
import { openColdFunctions } from "./cold-sandbox.ts";
import { type Observed, observe } from "./consumption.ts";
import { type Component, components, costOf, durationCost, total } from "./cost-model.ts";
import { canLimit, openCpuShare } from "./cpu-share.ts";
import { figureTable, median } from "./figures.ts";
import { functionSettings } from "./function-settings.ts";
import type { InstrumentedService } from "./instrumented-service.ts";
import {
  asynchronous,
  cached,
  fullPage,
  heavyPng,
  jsonResult,
  type Kind,
  measureKind,
  pdf,
  smallPng,
  smallPngWithThumbnail,
  video,
} from "./kinds.ts";
import type { Measurement } from "./measurement.ts";
import { PRICES_OF } from "./prices.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const RUNS = 5;
const COLD_RUNS = 3;

/** AWS says that less than one start in a hundred events is usual. */
const COLD_SHARE = 0.01;

/** As far away as they are within a region of AWS, in milliseconds. */
const DISTANCES = { dynamodb: 5, s3: 30, sqs: 10 };
const NEAR = { dynamodb: 0, s3: 0, sqs: 0 };

const kinds: readonly Kind[] = [
  smallPng,
  smallPngWithThumbnail,
  heavyPng,
  fullPage,
  pdf,
  video,
  jsonResult,
  asynchronous,
  cached,
];

const partName = ({ name }: Kind) => `cost of ${name}`;

export const costs: BenchGroup = {
  name: "cost",
  parts: kinds.map(partName),
  async measure(wanted, bench) {
    const service = await bench.instrumented();
    const settingsOf = await functionSettings(await bench.assembly());
    const { usageRetentionDays: retentionDays } = stageConfig("prod");
    const coldMs = await coldTime(bench);
    let number = 10_000; // unlike those of others with the same service
    const run = (kind: Kind) => observe(kind, { service, number: ++number }, { settingsOf, retentionDays });

    for (const kind of [smallPng, jsonResult, asynchronous]) await run(kind); // so that all functions are there to be held
    using _shares = await holdToShares(service, (construct) => settingsOf(construct).memoryMegabytes);
    service.hold(DISTANCES);
    try {
      const warm = await measureKind(smallPng, { service, number: ++number });
      const warmMs = warm.invocations[0]?.milliseconds ?? 0;
      const coldCost = (name: string) =>
        COLD_SHARE * durationCost({ milliseconds: Math.max(0, coldMs - warmMs), ...settingsOf(name) });
      const rows: string[][] = [];
      const measurements: Measurement[] = [];
      for (const kind of kinds.filter((each) => wanted.includes(partName(each)))) {
        const observed: Observed[] = [];
        for (let count = 0; count < Math.min(RUNS, bench.runs); count++) observed.push(await run(kind));
        const sums = observed.map((each) => 1_000 * (total(costOf(each.consumption)) + coldCost("Renderer")));
        rows.push(toRow(kind, observed, coldCost("Renderer")));
        measurements.push({ name: `cost: ${kind.name}`, unit: "USD per 1,000", samples: sums });
        bench.done(partName(kind));
      }
      return { text: formatReport(rows, coldMs), measurements, failures: [] };
    } finally {
      service.hold(NEAR);
    }
  },
};

/** From the start of the process to the picture of a small page, with all the processors of this machine. */
async function coldTime(bench: Workbench): Promise<number> {
  const functions = await openColdFunctions(bench);
  const times: number[] = [];
  for (let run = 0; run < COLD_RUNS; run++) times.push((await functions.capture()).answeredMs);
  return median(times);
}

/** Holds each function to the processor time of its memory, as far as this machine lets us. */
async function holdToShares({ captures }: InstrumentedService, memoryFor: (construct: string) => number) {
  const shares = new DisposableStack();
  for (const construct of canLimit() ? ["Screenshot", "Renderer", "Render", "Webhook", "ApiFunction"] : []) {
    for (const { pid } of captures.sandboxes(construct)) shares.use(openCpuShare(pid, memoryFor(construct)));
  }
  return shares;
}

/** Of the run in the middle. */
function toRow({ name }: Kind, observed: readonly Observed[], coldCost: number): string[] {
  const totals = observed.map(({ consumption }) => total(costOf(consumption)));
  const middle = observed[totals.indexOf(median(totals))];
  if (!middle) throw new Error(`${name} was not measured.`);
  const cost = costOf(middle.consumption);
  const billed = middle.invocations.map((each) => `${each.name} ${Math.ceil(each.milliseconds)} ms`).join(", ");
  const cells = components.map((component: Component) => dollars(1_000 * cost[component]));
  return [name, ...cells, dollars(1_000 * coldCost), dollars(1_000 * (total(cost) + coldCost)), billed];
}

const dollars = (amount: number) => amount.toFixed(amount < 0.1 ? 4 : 3);

function formatReport(rows: readonly (readonly string[])[], coldMs: number): string {
  const head = ["USD per 1,000", ...components, "cold starts", "sum", "billed (one capture)"];
  const shares = canLimit() ? "in the processor time of their memory" : "with ALL processors of this machine";
  return [
    `Costs at the list prices of ${PRICES_OF}, functions ${shares}:\n\n${figureTable([head, ...rows])}`,
    [
      "Assumed: no free tier, tax or discount; first tiers of all prices. DynamoDB answers within " +
        `${DISTANCES.dynamodb} ms, S3 ${DISTANCES.s3}, SQS ${DISTANCES.sqs}, the page at once: a slow one costs its wait.`,
      `One function in ${1 / COLD_SHARE} has a cold start, which takes ${coldMs.toFixed(0)} ms until the small page, start billed.`,
      "A stored result is fetched once, a thumbnail never. Logs of captures are kept in the table for as long as usage is. Not in it: idle",
      "queues (Lambda asks them all the time, some cents a month), alarms, backups, a domain.",
    ].join("\n"),
    `What the plans ask for 1,000:\n\n${planTable()}`,
  ].join("\n\n");
}

function planTable(): string {
  const sold = Object.values(plans).filter(({ price }) => price > 0);
  const rows = sold.map(({ label, price, quotas, overagePrice }) => {
    const included = "captures" in quotas ? quotas.captures : quotas.screenshots + quotas.videos;
    const perThousand = (1_000 * price) / UNITS_OF_A_DOLLAR / included;
    const further = overagePrice === undefined ? "–" : `$${((1_000 * overagePrice) / UNITS_OF_A_DOLLAR).toFixed(2)}`;
    return [label, `$${perThousand.toFixed(2)}`, further];
  });
  return figureTable([["plan", "included", "beyond"], ...rows]);
}

/** Money is counted in hundredths of a cent. */
const UNITS_OF_A_DOLLAR = 10_000;
