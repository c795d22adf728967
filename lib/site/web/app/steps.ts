// Which of the first steps of a new account this browser has seen done.

const SEEN = "dashboard-saw-captures";

/** Called when the list of captures is shown. */
export function markStepSeen(): void {
  try {
    localStorage.setItem(SEEN, "1");
  } catch {
    // A browser that stores nothing shows the step again.
  }
}

export function hasSeenCaptures(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}
