// Counts the checks of each UTC day by component, with the last outcome of each, in the Activity table.
import * as v from "valibot";
import { queryItems, updateItem } from "../aws/items.ts";
import { statusDayKey, statusPartition } from "../aws/table-keys.ts";
import { DAY_MS, utcDay } from "../usage/day.ts";
import { type CheckOutcomes, type ComponentId, componentIds } from "./components.ts";

/** Days that the status page shows, today included. */
export const SHOWN_DAYS = 90;

/** Days are kept a little longer than they are shown. */
const KEPT_MS = (SHOWN_DAYS + 10) * DAY_MS;

/** What the checks of a component have found on a day. */
export interface DayChecks {
  readonly checks: number;
  readonly failed: number;
  /** The last outcome, and when it was found, in UTC. */
  readonly last: { readonly isRight: boolean; readonly at: string };
}

/** A UTC day, written `2026-01-31`, with the components that were checked. */
export interface CheckedDay {
  readonly day: string;
  readonly components: Readonly<Partial<Record<ComponentId, DayChecks>>>;
}

const DaySchema = v.looseObject({ sk: v.string() });
const ChecksSchema = v.object({ checks: v.number(), failed: v.number(), is_right: v.boolean(), at: v.string() });

/** Counts the outcomes of a run at `now` (milliseconds since 1970). Resolves to the day with them. */
export async function countChecks(table: string, outcomes: CheckOutcomes, now: number): Promise<CheckedDay> {
  const checked = componentIds.filter((id) => outcomes[id] !== undefined);
  const day = utcDay(now);
  const added = checked.flatMap((id) => [`${id}_checks :one`, `${id}_failed :${id}_failed`]);
  const set = checked.flatMap((id) => [`${id}_is_right = :${id}`, `${id}_at = :at`]);
  const { item = {} } = await updateItem(table, statusDayKey(day), {
    update: `ADD ${added.join(", ")} SET ${[...set, "#ttl = :ttl"].join(", ")}`,
    values: {
      ":one": 1,
      ":at": new Date(now).toISOString(),
      ":ttl": Math.ceil((now + KEPT_MS) / 1000),
      ...Object.fromEntries(
        checked.flatMap((id) => [
          [`:${id}`, outcomes[id]],
          [`:${id}_failed`, outcomes[id] ? 0 : 1],
        ]),
      ),
    },
  });
  return toDay(item);
}

/** Reads the days that are shown at `now` (milliseconds since 1970), oldest first. A day without checks is missing. */
export async function readDays(table: string, now: number): Promise<CheckedDay[]> {
  const range = { first: utcDay(now - (SHOWN_DAYS - 1) * DAY_MS), last: utcDay(now) };
  return (await queryItems(table, statusPartition("DAYS"), range)).map(toDay);
}

function toDay(item: Readonly<Record<string, unknown>>): CheckedDay {
  const { sk: day, ...attributes } = v.parse(DaySchema, item);
  const components = componentIds.flatMap((id): [ComponentId, DayChecks][] => {
    const attribute = (name: string) => attributes[`${id}_${name}`];
    const found = { checks: attribute("checks"), failed: attribute("failed"), at: attribute("at") };
    if (found.checks === undefined) return []; // not checked on this day
    const { is_right: isRight, at, ...counts } = v.parse(ChecksSchema, { ...found, is_right: attribute("is_right") });
    return [[id, { ...counts, last: { isRight, at } }]];
  });
  return { day, components: Object.fromEntries(components) };
}

/** The last outcome of a component; undefined where no day has one. */
export function lastOutcome(days: readonly CheckedDay[], id: ComponentId): DayChecks["last"] | undefined {
  return days.findLast(({ components }) => components[id])?.components[id]?.last;
}
