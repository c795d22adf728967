// Changes of accounts that are events for the operator: the event is stored in the transaction of the change.
import type { KeyRing } from "../account/account.ts";
import type { Write } from "../aws/transaction.ts";
import { operatorEventWrites } from "./event-store.ts";
import { type OperatorEvent, type OperatorEventInput, operatorEvent } from "./operator-event.ts";

/** What a change has stored, and the event that it is; undefined for a change that is none. */
export interface ReportedChange {
  readonly ring: KeyRing;
  readonly event: OperatorEvent | undefined;
}

/**
 * Changes an account at `now` (milliseconds since 1970), with an event for what `describe` returns of the account as it was. Queue the event
 * with `queueOperatorEvent` afterwards.
 */
export async function reportedChange(
  { activityTable, now }: { readonly activityTable: string; readonly now: number },
  describe: (before: KeyRing) => OperatorEventInput | undefined,
  change: (further: (before: KeyRing) => readonly Write[]) => Promise<KeyRing>,
): Promise<ReportedChange> {
  let event: OperatorEvent | undefined;
  const ring = await change((before) => {
    const input = describe(before);
    event = input && operatorEvent(input, now);
    return event ? operatorEventWrites(activityTable, event) : [];
  });
  return { ring, event };
}
