// A short name for a value: two that say the same have the same one, in whatever order they say it.
import { createHash } from "node:crypto";

/** SHA-256 in hex of anything that JSON can hold. What was left out and what is undefined are the same. */
export function fingerprint(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, inOrder)).digest("hex");
}

/** Replaces each object on its way into JSON by one whose names are sorted. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
