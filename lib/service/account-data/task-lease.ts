// Runs the steps of a data task one at a time: a step holds a lease on the task's item, and what it has done is stored under that
// lease alone.
//
// A step first sends the message of the next step, with a delay, and then stores that it is over. So at every moment a message
// leads on: if the step dies in between, both messages are there, and the one that comes too late has the number of a step that is over.
import { randomUUID } from "node:crypto";
import { type ItemKey, updateItem } from "../aws/items.ts";

/** Longer than the function that runs steps may run, so that two steps of a task never run at the same time. In milliseconds. */
export const TASK_LEASE_MS = 130_000;

/** How long a step takes new work, in milliseconds. What it began by then takes some seconds more. */
export const STEP_MS = 40_000;

/** Seconds until a message is delivered again whose task is held: three times until the lease of a step that died is over. */
const RETRY_LEASED_S = 45;

export type TaskItem = Record<string, unknown>;

/** The item of a task whose lease this step holds. */
export interface HeldTask {
  readonly item: TaskItem;
  /** Stores fields of the item. Throws `LeaseLost` if the task was deleted, or another step holds it. */
  readonly store: (fields: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Stores fields, and lets the lease go. */
  readonly release: (fields?: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** The step no longer holds its task, because that was deleted meanwhile, or because the step took too long. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The statuses of tasks with steps to run. */
const OPEN = { ":running": "running", ":finishing": "finishing" };

/**
 * Acquires the task of a step at `now` (milliseconds since 1970). Resolves to undefined when there is nothing to do: the task was
 * deleted, has ended, or the step is over. Resolves to the seconds after which to try again while another step holds the task.
 */
async function acquireTask(
  table: string,
  key: ItemKey,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<HeldTask | number | undefined> {
  const holder = randomUUID();
  const { isChanged, item } = await updateItem(table, key, {
    update: "SET holder = :holder, leased_until = :until",
    condition:
      "#status IN (:running, :finishing) AND step <= :step AND (attribute_not_exists(leased_until) OR leased_until <= :now)",
    values: { ...OPEN, ":holder": holder, ":until": now + TASK_LEASE_MS, ":step": step, ":now": now },
  });
  if (!isChanged) return isOpen(item) && Number(item["step"]) <= step ? RETRY_LEASED_S : undefined;
  const store = (fields: Readonly<Record<string, unknown>>) => storeHeld({ table, key, holder }, fields);
  return { item, store, release: (fields = {}) => store({ ...fields, leased_until: 0 }) };
}

/**
 * Runs the work of a step under the lease of its task. Resolves to undefined when the message of the step is finished, and to the seconds
 * after which to try again while another step holds the task. If the work fails, the lease is released before this rejects, so that the
 * next attempt need not wait for its end.
 */
export async function runUnderLease(
  { table, key, step }: { readonly table: string; readonly key: ItemKey; readonly step: number },
  work: (held: HeldTask) => Promise<void>,
): Promise<number | undefined> {
  const held = await acquireTask(table, key, { step, now: Date.now() });
  if (held === undefined || typeof held === "number") return held;
  try {
    await work(held);
  } catch (error) {
    await held.release().catch(() => undefined);
    throw error;
  }
  return undefined;
}

/** True for the item of a task with steps to run. */
export function isOpen(item: TaskItem | undefined): item is TaskItem {
  return Object.values(OPEN).some((status) => status === item?.["status"]);
}

async function storeHeld(
  { table, key, holder }: { readonly table: string; readonly key: ItemKey; readonly holder: string },
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(fields);
  const { isChanged } = await updateItem(table, key, {
    update: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    condition: "holder = :its_holder",
    values: { ":its_holder": holder, ...Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])) },
  });
  if (!isChanged) throw new LeaseLost("The task was deleted, or another step holds it.");
}
