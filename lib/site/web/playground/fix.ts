// A way out of an error, as a button: what it is called, and what it does.
import type { RequestOptions } from "./request-options.ts";

export type Fix = { readonly label: string } & FixAction;

export type FixAction =
  /** Changes options of the draft, and captures again. An option that is undefined is removed. */
  | { readonly options: RequestOptions }
  /** Captures again, at the earliest after some seconds. */
  | { readonly retryAfterS: number }
  /** Moves the focus to a field. */
  | { readonly focus: "api-key" | "source" }
  /** Opens a page of this service, by its path. */
  | { readonly path: string };

export const setOptions = (label: string, options: RequestOptions): Fix => ({ label, options });

export const removeOptions = (label: string, names: readonly string[]): Fix => ({
  label,
  options: Object.fromEntries(names.map((name) => [name, undefined])),
});

/** A longer value would make a button of several lines. */
const MAX_VALUE_CHARACTERS = 40;

/** An option with its value, as a label shows it: `delay=3`. */
export function describeOption([name, value]: readonly [name: string, value: unknown]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return value === true || text.length > MAX_VALUE_CHARACTERS ? name : `${name}=${text}`;
}
