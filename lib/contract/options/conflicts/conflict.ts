// The types that the rules between options share.
import { type Format, formats } from "../formats.ts";
import type { CaptureOptionName } from "../groups/all.ts";
import type { ParsedOptions } from "../resolve-defaults.ts";
import type { WindowOptions } from "../values/window-size.ts";

/** An option to change, and what is wrong with it: a text that follows the option's name. */
export type Conflict = readonly [option: CaptureOptionName, message: string];

/** Options of a request. One that is invalid by itself has its raw value, regardless of its type. */
export type ComparedOptions = Partial<ParsedOptions>;

/** Names of the options that a request sends, except those sent as false. */
export type SentNames = ReadonlySet<string>;

export function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

export function isFormat(format: unknown): format is Format {
  return formats.some((name) => name === format);
}

/** True if all options that the viewport size follows from are valid. */
export function isMeasurable(options: ComparedOptions): options is ComparedOptions & WindowOptions {
  const { viewport_width, viewport_height, video_width, video_height, viewport_device: device } = options;
  const sides = [viewport_width, viewport_height, video_width, video_height];
  const isDevice = device === undefined || (isNumber(device?.width) && isNumber(device?.height));
  return isDevice && sides.every((side) => side === undefined || isNumber(side));
}
