// The tables of docs/scale.md: what a capture uses, where a cell ends, and what a rate needs and costs.
import { type CaptureUse, type CountedUse, type KindName, kindNames, tables } from "./capture-use.ts";
import { ceilings, defaultQuotas, dollarsOf, executionSeconds, HEADROOM, raisedQuotas } from "./cell-model.ts";

const labels: Readonly<Record<KindName, string>> = {
  synchronous: "Synchronous, with a thumbnail",
  asynchronous: "Asynchronous, with its webhook and link",
  cached: "From the cache",
};

const rates = [10, 100, 400, 1_000];

const count = (value: number) => Math.round(value).toLocaleString("en-US");
/** Rounded down to two digits, since a ceiling is no promise. */
const atMost = (value: number) => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return count(Math.floor(value / unit) * unit);
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|---|${"---:|".repeat(head.length - 1)}`, ...rows.map(line)].join("\n");
}

/** The tables in the order of the page, by the name of their place in it. */
export function capacityTables(used: CountedUse): Readonly<Record<string, string>> {
  return { use: useTable(used), ceilings: ceilingTable(used), needs: needsTable(used) };
}

function useTable(used: CountedUse): string {
  const row = (label: string, value: (use: CaptureUse) => number) => [
    label,
    ...kindNames.map((name) => String(value(used[name]))),
  ];
  return table(
    ["Each capture", ...kindNames.map((name) => labels[name])],
    [
      row("Requests to API Gateway", ({ requests }) => requests),
      row("Executions of functions", ({ invocations }) => invocations),
      ...tables.map((name) => row(`DynamoDB, write units of \`${name}\``, ({ writeUnits }) => writeUnits[name])),
      row("DynamoDB, read units", ({ readUnits }) => readUnits),
      row("S3, PUTs", ({ s3Puts }) => s3Puts),
      row("S3, GETs", ({ s3Gets }) => s3Gets),
      row("SQS, messages", ({ messages }) => messages),
    ],
  );
}

function ceilingTable(used: CountedUse): string {
  const [byDefault, raised] = [defaultQuotas, raisedQuotas].map((quotas) =>
    kindNames.map((name) => new Map(ceilings(used[name], quotas).map(({ engine, perSecond }) => [engine, perSecond]))),
  );
  const engines = new Set([...(byDefault ?? [])].flatMap((found) => [...found.keys()]));
  const cell = (found: ReadonlyMap<string, number>, engine: string) => {
    const value = found.get(engine);
    if (value === undefined) return "";
    return value === Math.min(...found.values()) ? `**${atMost(value)}**` : atMost(value);
  };
  const columns = [...(byDefault ?? []), ...(raised ?? [])];
  return table(
    ["Captures a second", ...kindNames.map((name) => `${name}`), ...kindNames.map((name) => `${name}, raised`)],
    [...engines].map((engine) => [engine, ...columns.map((found) => cell(found, engine))]),
  );
}

function needsTable(used: CountedUse): string {
  const { synchronous, asynchronous } = used;
  const both = (value: (use: CaptureUse) => number) =>
    rates.map((rate) => `${count(rate * value(synchronous))}, ${count(rate * value(asynchronous))}`);
  const dollars = (seconds: number) =>
    rates.map((rate) =>
      [synchronous, asynchronous]
        .map((use) => `$${(rate * seconds * dollarsOf(use)).toLocaleString("en-US", { maximumFractionDigits: 0 })}`)
        .join(", "),
    );
  return table(
    ["Synchronous, asynchronous", ...rates.map((rate) => `${count(rate)} a second`)],
    [
      ["Busy executions", ...both(executionSeconds)],
      [`Lambda's quota, with ${100 * HEADROOM} % to spare`, ...both((use) => executionSeconds(use) / (1 - HEADROOM))],
      ["Requests to API Gateway a second", ...both(({ requests }) => requests)],
      ...tables
        .slice(1)
        .map((name) => [`Write units of \`${name}\` a second`, ...both(({ writeUnits }) => writeUnits[name])]),
      ["PUTs to S3 a second", ...both(({ s3Puts }) => s3Puts)],
      ["Messages to SQS a second", ...both(({ messages }) => messages)],
      ["Dollars a day", ...dollars(24 * 60 * 60)],
    ],
  );
}
