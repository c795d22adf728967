// The types that the rules between options share.
import type { CaptureOptionName } from "../groups/all.ts";
import type { SentNames } from "../parse-options.ts";
import type { ParsedOptions } from "../resolve-defaults.ts";
import type { WindowOptions } from "../values/window-size.ts";

/** An option to change, and what is wrong with it: a text that follows the option's name. */
export type Conflict = readonly [option: CaptureOptionName, message: string];

/** Options of a request, parsed. One that is invalid by itself has no value. */
export type ComparedOptions = Partial<ParsedOptions>;

/** Names of the options that a request sends, except those sent as false. */
export type RequestedNames = SentNames["requested"];

/** The options with those that the viewport size follows from; undefined if one of these is invalid. */
export function windowOptions(
  { format, ...options }: ComparedOptions,
  invalid: SentNames["invalid"],
): WindowOptions | undefined {
  return format === undefined || measures.some((name) => invalid.has(name)) ? undefined : { format, ...options };
}

const measures = [
  "viewport_width",
  "viewport_height",
  "viewport_device",
  "viewport_landscape",
  "video_width",
  "video_height",
  "video_aspect_ratio",
] as const satisfies readonly CaptureOptionName[];
