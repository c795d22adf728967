// Values in the storage of this browser or tab. A browser can forbid its storage, and it can be full: then nothing is read or kept.
import { parseJson } from "./parse-json.ts";

type StorageName = "localStorage" | "sessionStorage";

/** Undefined when nothing is stored. */
export function readStored(storage: StorageName, key: string): string | undefined {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, which any script of this origin can have written; undefined for none and for a damaged one. */
export function readStoredJson(storage: StorageName, key: string): unknown {
  return parseJson(readStored(storage, key) ?? "");
}

/** Stores a text, or removes it when it is undefined. Returns false when the browser does not store it. */
export function store(storage: StorageName, key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
