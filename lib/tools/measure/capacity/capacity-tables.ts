// The tables of docs/scale.md: what a capture uses, where a cell ends, and what a rate needs and costs.
import { type CaptureUse, type CountedUse, type KindName, kindNames, tables } from "./capture-use.ts";
import {
  ceilings,
  computeDollarsOf,
  defaultQuotas,
  dollarsOf,
  executionSeconds,
  HEADROOM,
  type Making,
  PAGE_SECONDS,
  raisedQuotas,
} from "./cell-model.ts";
import { coldShare, isolationDollars } from "./tenant-isolation.ts";

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
  return {
    ...{ use: useTable(used), ceilings: ceilingTable(used), needs: needsTable(used) },
    ...{ renderer: rendererTable(used), isolation: isolationTable(used) },
  };
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
      row("Executions of functions", ({ invocations, renderings }) => invocations - renderings),
      row("Executions of a separate renderer", ({ renderings }) => renderings),
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

/** How often an account captures: the words, and captures an hour. */
const paces: readonly (readonly [string, number])[] = [
  ["Once a day", 1 / 24],
  ["Once an hour", 1],
  ["Every ten minutes", 6],
  ["Every two minutes", 30],
  ["100 an hour", 100],
];

/** What tenant isolation costs accounts that capture more or less often. */
function isolationTable({ synchronous }: CountedUse): string {
  const small = dollarsOf(synchronous, { renderer: "separate", pageSeconds: SMALL_PAGE_SECONDS });
  return table(
    ["An account captures", "Start an environment", "A million, fee and start", "and everything above"],
    paces.map(([pace, perHour]) => {
      const share = coldShare(perHour);
      const fee = isolationDollars(share);
      const million = (dollars: number) => `$${(1_000_000 * dollars).toFixed(2)}`;
      return [pace, `${(100 * share).toPrecision(2)} %`, million(fee), million(small + fee)];
    }),
  );
}

/** Of a page that needs hardly any time, in seconds. */
const SMALL_PAGE_SECONDS = 0.2;

/** What a separate renderer costs more. */
function rendererTable({ synchronous, asynchronous }: CountedUse): string {
  const row = (
    label: string,
    pageSeconds: number,
    { value, text }: { value(use: CaptureUse, making: Making): number; text(value: number): string },
  ) => [
    label,
    ...[synchronous, asynchronous].flatMap((use) => {
      const embedded = value(use, { renderer: "embedded", pageSeconds });
      const separate = value(use, { renderer: "separate", pageSeconds });
      return [text(embedded), text(separate), `${Math.round(100 * (separate / embedded - 1))} %`];
    }),
  ];
  const executions = { value: executionSeconds, text: (seconds: number) => seconds.toFixed(2) };
  const million = (value: typeof dollarsOf) => ({
    value,
    text: (dollars: number) => `$${(1_000_000 * dollars).toFixed(2)}`,
  });
  const kinds = ["synchronous", "asynchronous"].flatMap((kind) => [`${kind}, embedded`, "separate", "more"]);
  return table(
    ["Each capture", ...kinds],
    [
      row("Seconds of executions", PAGE_SECONDS, executions),
      row("A million, everything above", PAGE_SECONDS, million(dollarsOf)),
      row(`A million of ${SMALL_PAGE_SECONDS} s, everything above`, SMALL_PAGE_SECONDS, million(dollarsOf)),
      row(
        `A million of ${SMALL_PAGE_SECONDS} s, Lambda and API Gateway`,
        SMALL_PAGE_SECONDS,
        million(computeDollarsOf),
      ),
    ],
  );
}
