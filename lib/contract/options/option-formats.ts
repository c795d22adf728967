// The formats that take an option of one result, such as `image_quality`, which needs a lossy format.
import { type Format, formatKind, formats, lossyFormats, transparentFormats } from "./formats.ts";
import { limitedFormats } from "./image-limits.ts";
import { optionFacts } from "./option.ts";
import { ownOptionEntries } from "./outputs.ts";

/** Options that fewer formats take than those of their kind. */
const narrower: Readonly<Record<string, readonly Format[]>> = {
  image_fallback_format: limitedFormats,
  image_quality: lossyFormats,
  omit_background: transparentFormats,
};

/** The formats that take an option of an output; undefined for an option that is sent once for the whole request. */
export function optionFormats(name: string): readonly Format[] | undefined {
  const entry = Object.hasOwn(ownOptionEntries, name) && ownOptionEntries[name];
  if (!entry) return undefined;
  const { only } = optionFacts(entry);
  return narrower[name] ?? formats.filter((format) => only?.includes(formatKind(format)) ?? true);
}
