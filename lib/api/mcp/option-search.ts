// Search over the options of captures for models: names, descriptions, and a sample of each.
import { type OptionReference, optionReference } from "../../options/option-reference.ts";

const MAX_MATCHES = 12;

/** Options that match the words of a query, best first, as Markdown. Names count more than descriptions. */
export function searchOptions(query: string): string {
  const words = query
    .toLowerCase()
    .slice(0, 200)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1);
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

/** The names of all options by group, each with its description, as Markdown. */
export function listOptions(): string {
  return optionReference()
    .map(({ group, about, options }) => `## ${group}\n${about}\n\n${options.map(describe).join("\n")}\n`)
    .join("\n");
}

function score({ name, description }: OptionReference, group: string, words: readonly string[]): number {
  const text = `${description} ${group}`.toLowerCase();
  const points = words.map((word) => {
    const stem = word.length > 3 ? word.replace(/s$/, "") : word;
    return (name.includes(stem) ? 3 : 0) + (text.includes(stem) ? 1 : 0);
  });
  return points.reduce((sum, each) => sum + each, 0);
}

function describe({ name, description, jsonSchema, defaultText }: OptionReference): string {
  const schema = jsonSchema as { examples?: unknown[]; enum?: unknown[]; type?: unknown };
  const sample = schema.examples?.[0] ?? schema.enum?.[0] ?? (schema.type === "boolean" ? true : undefined);
  return [
    `- \`${name}\`: ${description}`,
    ...(defaultText === undefined ? [] : [`Default: ${defaultText}.`]),
    ...(sample === undefined ? [] : [`Sample: \`{${JSON.stringify(name)}: ${JSON.stringify(sample)}}\`.`]),
  ].join(" ");
}
