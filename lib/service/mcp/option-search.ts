// Search over the options of captures for models: names, values, descriptions, and a sample of each.
import { allowedValues } from "../../contract/options/allowed-values.ts";
import { describeScope, type OptionReference, optionReference } from "../../contract/options/option-reference.ts";
import { optionSamples } from "../../contract/options/option-samples.ts";

const MAX_MATCHES = 12;
const MAX_QUERY_CHARACTERS = 200;

/** Words of questions, which say nothing about an option. */
const STOP_WORDS = new Set(["and", "can", "does", "for", "from", "how", "into", "not", "that", "the", "what", "with"]);

/** Options that match the words of a query, best first, as Markdown. Names count more than descriptions. */
export function searchOptions(query: string): string {
  const words = query
    .toLowerCase()
    .slice(0, MAX_QUERY_CHARACTERS)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  const scored = optionReference().flatMap(({ group, options }) =>
    options.map((option) => ({ option, score: score(option, group, words) })),
  );
  const found = scored
    .filter((each) => each.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_MATCHES);
  if (found.length > 0) return found.map(({ option }) => describe(option)).join("\n");
  return `No option matches. Groups: ${optionReference()
    .map(({ group, about }) => `${group} (${about})`)
    .join(" ")}`;
}

/** All options by group, as Markdown. */
export function listOptions(): string {
  return optionReference()
    .map(({ group, about, options }) => `## ${group}\n${about}\n\n${options.map(describe).join("\n")}\n`)
    .join("\n");
}

/** Words match the start of words, so that `an` finds nothing in `landscape`; `darkmode` matches `dark_mode`. */
function score({ name, description }: OptionReference, group: string, words: readonly string[]): number {
  const text = `${description} ${group}`.toLowerCase().split(/[^a-z0-9]+/);
  const points = words.map((word) => {
    const stem = word.length > 3 ? word.replace(/s$/, "") : word;
    const starts = (each: string) => each.startsWith(stem);
    const isInName = name.split("_").some(starts) || (stem.length > 3 && name.replaceAll("_", "").includes(stem));
    return (isInName ? 3 : 0) + (text.some(starts) ? 1 : 0);
  });
  return points.reduce((sum, each) => sum + each, 0);
}

function describe(option: OptionReference): string {
  const { name, description, jsonSchema, defaultText } = option;
  return [
    `- \`${name}\` (${allowedValues(jsonSchema)}): ${description}`,
    describeScope(option),
    defaultText === undefined ? "" : `Default: ${defaultText}.`,
    `Sample: \`${JSON.stringify(sample(name))}\`.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

const schemas = new Map(
  optionReference().flatMap(({ options }) => options.map((each) => [each.name, each.jsonSchema])),
);

/** The sample of an option, with the options that it needs, as values of JSON. */
function sample(name: string): Record<string, unknown> {
  const entries = Object.entries(optionSamples[name] ?? {});
  return Object.fromEntries(entries.map(([each, value]) => [each, jsonValue(value, schemas.get(each)?.["type"])]));
}

function jsonValue(value: string, type: unknown): unknown {
  if (type === "boolean") return value === "true";
  if (type === "integer" || type === "number") return Number(value);
  return type === "array" ? [value] : value;
}
