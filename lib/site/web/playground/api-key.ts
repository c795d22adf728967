// The API key of the playground: in memory, and in session storage if the visitor asks for it.
import { readStored, store } from "../shared/storage.ts";

const STORED_KEY = "playground-key";

export const storedKey = (): string => readStored("sessionStorage", STORED_KEY) ?? "";

/** Keeps the key for this tab, or forgets it. */
export function storeKey(key: string, isKept: boolean): void {
  store("sessionStorage", STORED_KEY, isKept && key !== "" ? key : undefined);
}
