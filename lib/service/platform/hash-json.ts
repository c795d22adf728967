// Hash of a JSON value that does not depend on the order of its keys.
import { createHash } from "node:crypto";

/** SHA-256 in hex of a JSON value. An undefined member and a missing one are the same. */
export function hashJson(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");
}

/** A replacer for `JSON.stringify` that sorts the keys of each object. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
