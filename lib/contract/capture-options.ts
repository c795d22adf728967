// A request for a capture: its options parsed as a whole.
import * as v from "valibot";
import { contradictions } from "./contradictions.ts";
import { factsOf } from "./option.ts";
import { type CaptureOptionName, captureOptionEntries, captureOptionNames } from "./options/all.ts";
import { parseOptions } from "./parse-options.ts";

/** Other names under which users of comparable services know an option. */
export const optionAliases: Readonly<Record<string, CaptureOptionName>> = { accept_language: "locale" };

const schema = v.object(
  captureOptionEntries,
  ({ received }) => `must be sent as an object of options, not ${received}`,
);

/** A request for a capture: every option valid, defaults applied. */
export type CaptureOptions = v.InferOutput<typeof schema>;

/** Parses options as they were sent. Throws `VALIDATION_ERROR` with every problem of the request at once. */
export function parseCaptureOptions(sent: unknown): CaptureOptions {
  return parseOptions({ schema, names: captureOptionNames, aliases: optionAliases, rules: contradictions }, sent);
}

/** True for an option whose value may be kept in no log. */
export function isSecret(name: string): boolean {
  const entry = Object.hasOwn(captureOptionEntries, name) && captureOptionEntries[name as CaptureOptionName];
  return entry ? (factsOf(entry).secret ?? false) : false;
}
