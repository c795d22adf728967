// Which of the first steps of a new account this browser has seen done. A browser that stores nothing shows them again.
import { readStored, store } from "../shared/storage.ts";

const SEEN = "dashboard-saw-captures";

/** Called when the list of captures is shown. */
export function markStepSeen(): void {
  store("localStorage", SEEN, "1");
}

export function hasSeenCaptures(): boolean {
  return readStored("localStorage", SEEN) !== undefined;
}
