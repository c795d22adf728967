// The API key of the playground: in memory, and in session storage if the visitor asks for it.
const STORED_KEY = "playground-key";

export function storedKey(): string {
  try {
    return sessionStorage.getItem(STORED_KEY) ?? "";
  } catch {
    return "";
  }
}

/** Keeps the key for this tab, or forgets it. */
export function storeKey(key: string, isKept: boolean): void {
  try {
    if (isKept && key !== "") sessionStorage.setItem(STORED_KEY, key);
    else sessionStorage.removeItem(STORED_KEY);
  } catch {}
}
