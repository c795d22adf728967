// Limits the events that the owner of an account causes, so that changing a setting to and fro floods neither the operator nor the list.
import { type AttemptLimit, isAttemptAllowed } from "../sessions/sign-in-attempts.ts";

/** Events of a day that the owner of one account can cause. */
const ownerEvents: AttemptLimit = { kind: "owner-events", limit: 20, windowSeconds: 24 * 60 * 60 };

/** Counts an event that the owner of an account causes at `now` (milliseconds since 1970). Resolves to false when the limit is reached. */
export function mayCauseEvent(usageTable: string, accountId: number, now: number): Promise<boolean> {
  return isAttemptAllowed(usageTable, ownerEvents, { subject: String(accountId), now });
}
