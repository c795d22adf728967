// What a name of another service's option is called here: such names are refused with a suggestion.
import type { CaptureOptionName } from "./groups/all.ts";
import { otherNames } from "./other-service-names.ts";

/** What to send in place of a name: an option, and what is different about its value. */
export interface Suggestion {
  readonly option: CaptureOptionName;
  /** Follows the option's name after a comma. */
  readonly note?: string;
}

const byName: ReadonlyMap<string, Suggestion> = new Map(
  otherNames.map(([name, option, note]) => [withoutSeparators(name), { option, ...(note !== undefined && { note }) }]),
);

/** What a name of another service is called here; undefined for other names. `thumbWidth` and `thumb-width` are `thumb_width`. */
export function suggestOption(name: string): Suggestion | undefined {
  return name.length <= MAX_NAME_CHARACTERS ? byName.get(withoutSeparators(name)) : undefined;
}

const MAX_NAME_CHARACTERS = 64;

function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, "");
}
