// What one capture uses of each engine, counted by the local ones while the whole service makes it.
import type { Call } from "../counting-engine.ts";
import type { InstrumentedService } from "../instrumented-service.ts";
import { asynchronous, cached, type Kind, measureKind, receivedWebhooks, smallPngWithThumbnail } from "../kinds.ts";

export const tables = ["Accounts", "Usage", "Activity"] as const;
export type Table = (typeof tables)[number];

/** The kinds of captures that the model knows. */
export const kindNames = ["synchronous", "asynchronous", "cached"] as const;
export type KindName = (typeof kindNames)[number];

export interface CaptureUse {
  /** Requests to API Gateway: the capture, and the link of a result that is not in the response. */
  readonly requests: number;
  readonly writeUnits: Readonly<Record<Table, number>>;
  readonly readUnits: number;
  readonly s3Puts: number;
  readonly s3Gets: number;
  /** Messages that are sent to queues. Each takes three requests: it is received and deleted, too. */
  readonly messages: number;
  readonly invocations: number;
}

/** Each use by the kind of capture. */
export type CountedUse = Readonly<Record<KindName, CaptureUse>>;

/**
 * Functions count the captures of an account that is busy, by its share of `MAX_CONCURRENT_CAPTURES`. With so few, an account is busy from
 * its second request in a minute on, as accounts are that use a cell to its ceiling. Checks of quotas, which all captures of some
 * minutes share, come after the run.
 */
export const BUSY_ENVIRONMENT = { MAX_CONCURRENT_CAPTURES: "4", QUOTA_ALERT_DELAY_SECONDS: "900" };

/** Captures before the one that counts: the first of an account also create its counters. */
const CAPTURES_BEFORE = 3;

const kinds: Readonly<Record<KindName, Kind>> = { synchronous: smallPngWithThumbnail, asynchronous, cached };

/** Makes captures of each kind, and counts what the last one uses. The service has `BUSY_ENVIRONMENT`. */
export async function countUse(service: InstrumentedService): Promise<CountedUse> {
  const used: Partial<Record<KindName, CaptureUse>> = {};
  for (const name of kindNames) {
    for (let number = 0; number <= CAPTURES_BEFORE; number++) {
      used[name] = await useOf(kinds[name], { service, number: 1_000 * kindNames.indexOf(name) + number });
    }
  }
  return used as CountedUse;
}

async function useOf(kind: Kind, asking: Parameters<typeof measureKind>[1]): Promise<CaptureUse> {
  const capture = await measureKind(kind, asking);
  const address = await kind.storedAt?.(capture.outcome, asking);
  await receivedWebhooks(asking);
  const fetched =
    address === undefined ? undefined : await asking.service.measure(["ApiFunction"], () => fetch(address));
  const measured = [capture, ...(fetched ? [fetched] : [])];
  const calls = measured.flatMap((each) => each.calls);
  const count = (...operations: string[]) => calls.filter(({ operation }) => operations.includes(operation)).length;
  return {
    requests: measured.length,
    writeUnits: unitsByTable(calls),
    readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
    s3Puts: count("PutObject"),
    s3Gets: count("GetObject", "HeadObject"),
    messages: count("SendMessage"),
    invocations: measured.flatMap((each) => each.invocations).length,
  };
}

function unitsByTable(calls: readonly Call[]): Record<Table, number> {
  const units: Record<Table, number> = { Accounts: 0, Usage: 0, Activity: 0 };
  for (const { writeUnits, unitsByTable: shares } of calls) {
    if (writeUnits === 0) continue;
    for (const [name, share] of Object.entries(shares)) units[tableOf(name)] += share;
  }
  return units;
}

/** The local engine's tables are named after the template's. */
function tableOf(name: string): Table {
  const table = tables.find((each) => name.includes(`${each}Table`));
  if (!table) throw new Error(`The table ${name} is none of ${tables.join(", ")}.`);
  return table;
}
