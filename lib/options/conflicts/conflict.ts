// The types that the rules between options share.
import type { CaptureOptionName } from "../groups/all.ts";
import type { ParsedOptions } from "../resolve-defaults.ts";

/** An option to change, and what is wrong with it: a text that follows the option's name. */
export type Conflict = readonly [option: CaptureOptionName, message: string];

/** Options of a request. One that is invalid by itself has its raw value, whatever its type says. */
export type Options = Partial<ParsedOptions>;

/** Names of the options that a request sends, except those sent as false. */
export type SentNames = ReadonlySet<string>;

export function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
