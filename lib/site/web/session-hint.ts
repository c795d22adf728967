// What this browser remembers of its session, whose cookie no script can read: pages ask the service for it only if there may
// be one, since the question without a session is an error in the console.
import { readStored, store } from "./shared/storage.ts";

const STORED_HINT = "signed-in";

/** The dashboard calls it when the service confirmed the session. */
export function rememberSession(): void {
  store("localStorage", STORED_HINT, "true");
  markSession();
}

/** Nothing was kept of a session that this browser did not have: what a visitor does signed out stays in the tab. */
export function forgetSession(): void {
  if (!mayBeSignedIn()) return;
  store("localStorage", STORED_HINT, undefined);
  try {
    sessionStorage.clear(); // what was read with the session, and a kept API key
  } catch {}
  markSession();
}

export function mayBeSignedIn(): boolean {
  return readStored("localStorage", STORED_HINT) !== undefined;
}

/** Marks the document, whose header shows the links of a visitor or of a customer. */
export function markSession(): void {
  document.documentElement.toggleAttribute("data-signed-in", mayBeSignedIn());
}
