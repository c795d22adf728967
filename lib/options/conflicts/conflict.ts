// What the rules share that look at several options at once.

import type { CaptureOptionName } from "../groups/all.ts";
import type { ParsedOptions } from "../resolve-defaults.ts";

/** Told with the option that should be changed. */
export type Problem = readonly [field: CaptureOptionName, message: string];

/** An option that is wrong in itself is there as it was sent, whatever its type says. */
export type Options = Partial<ParsedOptions>;

/** The options that were sent, but not as false. */
export type RawOptions = ReadonlySet<string>;

export function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
