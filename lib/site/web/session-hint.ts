// What this browser remembers of its session, whose cookie no script can read: pages ask the service for it only if there may
// be one, since the question without a session is an error in the console.

const STORED_HINT = "signed-in";

/** The dashboard calls it when the service confirmed the session. */
export function rememberSession(): void {
  try {
    localStorage.setItem(STORED_HINT, "true");
  } catch {}
  markSession();
}

/** Nothing was kept of a session that this browser did not have: what a visitor does signed out stays in the tab. */
export function forgetSession(): void {
  if (!mayBeSignedIn()) return;
  try {
    localStorage.removeItem(STORED_HINT);
    sessionStorage.clear(); // what was read with the session, and a kept API key
  } catch {}
  markSession();
}

export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(STORED_HINT) !== null;
  } catch {
    return false;
  }
}

/** Marks the document, whose header shows the links of a visitor or of a customer. */
export function markSession(): void {
  document.documentElement.toggleAttribute("data-signed-in", mayBeSignedIn());
}
