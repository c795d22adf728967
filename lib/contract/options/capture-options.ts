// The options of a capture: parsed as a whole, validated, and with every default filled in.
import * as v from "valibot";
import { conflicts } from "./conflicts/conflicts.ts";
import { isVideoFormat } from "./formats.ts";
import { type CaptureOptionName, captureOptionEntries } from "./groups/all.ts";
import { videoOptions } from "./groups/video.ts";
import { VIDEO_TIMEOUT_S } from "./groups/waiting.ts";
import { optionFacts } from "./option.ts";
import { suggestOption } from "./other-services.ts";
import { parseOptions, type SentNames } from "./parse-options.ts";
import { type ParsedOptions, type ResolvedOptions, resolveDefaults } from "./resolve-defaults.ts";

/** Names of options in comparable services. */
export const optionAliases: Readonly<Record<string, CaptureOptionName>> = { accept_language: "locale" };

const schema = v.object(
  captureOptionEntries,
  ({ received }) => `must be sent as an object of options, not ${received}`,
);

/** The options of a capture: valid, and with every default filled in. */
export type CaptureOptions = ResolvedOptions;

/** Parses raw options. Throws `VALIDATION_ERROR` with every problem of the request at once. */
export function parseCaptureOptions(sent: unknown): CaptureOptions {
  const set = { schema, aliases: optionAliases, suggest: suggestOption, implied, rules: conflicts };
  const options = resolveDefaults(parseOptions(set, sent));
  return options.self_repair ? { ...options, sent_options: sentOptions(sent) } : options;
}

/** The names of the options that were sent, under the names that they have here, in the order of the alphabet. */
function sentOptions(sent: unknown): readonly string[] {
  return Object.keys(sent as object)
    .map((name) => optionAliases[name] ?? name)
    .toSorted();
}

/** A video has a longer timeout, and `webp` is an animation when an option of videos is sent with it. */
function implied({ format: sent }: Partial<ParsedOptions>, { requested }: SentNames): Partial<ParsedOptions> {
  const format = sent === "webp" && videoOptionNames.some((name) => requested.has(name)) ? "animated_webp" : sent;
  if (format === undefined || !isVideoFormat(format)) return {};
  return { format, ...(!requested.has("timeout") && { timeout: VIDEO_TIMEOUT_S }) };
}

const videoOptionNames = Object.keys(videoOptions);

/** True for an option whose value must not be logged. */
export function isSecret(name: string): boolean {
  const entry = Object.hasOwn(captureOptionEntries, name) && captureOptionEntries[name as CaptureOptionName];
  return entry ? (optionFacts(entry).secret ?? false) : false;
}
