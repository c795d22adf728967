// Concurrency slots as numbers (a counting semaphore) in small items of the Usage table. Unlike a reservation, which is an attribute,
// a slot costs the same however many there are; so its holder must be an item itself, which keeps the slot and ends once.
//
// `taken` is compared with the limit. The slots that were taken in a window of six hours are counted by themselves, in a ring of
// windows: once no holder can be left of a window, its slots do not count any more. They were lost by functions that were killed
// before they had stored their holders.
import * as v from "valibot";
import { type ItemChange, itemUpdate } from "./items.ts";
import { failedCondition, transact, type Write } from "./transaction.ts";

/** Longest time for which a slot counts, in milliseconds; it is up to a window more. */
export const MAX_HOLD_MS = 24 * 60 * 60 * 1000;

const WINDOW_MS = 6 * 60 * 60 * 1000;
/** More than the windows of `MAX_HOLD_MS`, so that one whose place is used again has expired. */
const RING_SIZE = 8;

/** A slot as its holder stores it. */
export const HeldSlotSchema = v.object({ shard: v.number(), window: v.number() });
export type HeldSlot = v.InferOutput<typeof HeldSlotSchema>;

/** A limit, whose slots are counted in one item or, where many are taken in a second, in several. */
export interface SlotCounter {
  readonly table: string;
  readonly keyOf: (shard: number) => Readonly<Record<string, string>>;
}

type Update = NonNullable<Write["Update"]>;

/**
 * Takes a slot at `now` (milliseconds since 1970). Resolves to the number of taken slots when the limit is reached. Each shard has its
 * part of the limit; a slot is refused only when none is left in any shard.
 */
export async function takeSlot(
  counter: SlotCounter,
  { limit, shards, now }: { readonly limit: number; readonly shards: number; readonly now: number },
): Promise<{ readonly slot: HeldSlot } | { readonly taken: number }> {
  const first = Math.floor(Math.random() * shards);
  let taken = 0;
  for (let index = 0; index < shards; index++) {
    const shard = (first + index) % shards;
    const part = Math.floor((limit + shard) / shards);
    const result = await takeFromShard(counter, { shard, part, now });
    if ("slot" in result) return result;
    taken += result.taken;
  }
  return { taken };
}

async function takeFromShard(
  counter: SlotCounter,
  { shard, part, now }: { readonly shard: number; readonly part: number; readonly now: number },
): Promise<{ readonly slot: HeldSlot } | { readonly taken: number }> {
  const window = Math.floor(now / WINDOW_MS);
  const { held, started } = windowAttributes(window);
  for (;;) {
    const failed = await change(counter, shard, {
      update: `SET ${started} = :window ADD taken :one, ${held} :one`,
      condition:
        ":part > :zero AND (attribute_not_exists(taken) OR taken < :part) AND " +
        `(attribute_not_exists(${started}) OR ${started} = :window OR ${held} = :zero)`,
      values: { ":window": window, ":one": 1, ":zero": 0, ":part": part },
    });
    if (!failed) return { slot: { shard, window } };
    const item = failed.item ?? {};
    const expired = expiredWindows(item, now);
    if (expired.length === 0) return { taken: Number(item["taken"] ?? 0) };
    for (const each of expired) await removeWindow(counter, shard, each);
  }
}

/** Releases a slot whose holder was not stored. Does nothing when it does not count any more. */
export async function giveSlotBack(counter: SlotCounter, slot: HeldSlot): Promise<void> {
  await transactUpdate(releaseSlotUpdate(counter, slot));
}

/** The write that releases a slot; its condition fails when it does not count any more. It must be made once. */
export function releaseSlotUpdate({ table, keyOf }: SlotCounter, { shard, window }: HeldSlot): Update {
  const { held, started } = windowAttributes(window);
  return itemUpdate(table, keyOf(shard), {
    update: `ADD taken :minus_one, ${held} :minus_one`,
    condition: `${started} = :window AND ${held} > :zero`,
    values: { ":window": window, ":zero": 0, ":minus_one": -1 },
  });
}

interface HeldWindow {
  readonly window: number;
  readonly count: number;
}

/** If the condition fails, another process has just removed it, or one of its slots was released. */
async function removeWindow(counter: SlotCounter, shard: number, { window, count }: HeldWindow): Promise<void> {
  const { held, started } = windowAttributes(window);
  await change(counter, shard, {
    update: `REMOVE ${started}, ${held} ADD taken :released`,
    condition: `${started} = :window AND ${held} = :count`,
    values: { ":window": window, ":count": count, ":released": -count },
  });
}

/** The windows with slots that do not count any more at `now`. */
function expiredWindows(item: Readonly<Record<string, unknown>>, now: number): HeldWindow[] {
  return Array.from({ length: RING_SIZE }, (_, place) => {
    const { held, started } = windowAttributes(place);
    return { window: Number(item[started]), count: Number(item[held] ?? 0) };
  }).filter(({ window, count }) => count > 0 && (window + 1) * WINDOW_MS + MAX_HOLD_MS <= now);
}

function windowAttributes(window: number) {
  const place = window % RING_SIZE;
  return { held: `n${place}`, started: `w${place}` };
}

function change({ table, keyOf }: SlotCounter, shard: number, changed: ItemChange) {
  return transactUpdate(itemUpdate(table, keyOf(shard), changed));
}

/**
 * Resolves to the failed condition, if it fails. A transaction, although of one write: it has an idempotency token, so that the
 * SDK may repeat it when its response is lost.
 */
async function transactUpdate(Update: Update) {
  try {
    await transact([{ Update }]);
    return undefined;
  } catch (error) {
    const failed = failedCondition(error);
    if (!failed) throw error;
    return failed;
  }
}
