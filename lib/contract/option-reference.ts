// The written reference of the capture options, made from their schema.
import * as v from "valibot";
import { factsOf, type JsonSchema } from "./option.ts";
import { optionGroups } from "./options/all.ts";

export interface OptionReference {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: JsonSchema;
  /** In words, or as a caller would send it; undefined where nothing is the default. */
  readonly defaultText: string | undefined;
  /** The default as a value, where it is one of the schema. */
  readonly defaultValue: unknown;
}

/** The options of each group, in the order in which they are explained. */
export function optionReference(): { readonly group: string; readonly options: readonly OptionReference[] }[] {
  return Object.entries(optionGroups).map(([group, entries]) => ({
    group,
    options: Object.entries(entries).map(([name, entry]) => {
      const { description, jsonSchema, otherwise } = factsOf(entry);
      const defaultValue: unknown = v.getDefault(entry);
      const defaultText = otherwise ?? (defaultValue === undefined ? undefined : String(defaultValue));
      return { name, description, jsonSchema, defaultText, defaultValue };
    }),
  }));
}

/** The reference in Markdown: a table for each group. */
export function optionTable(): string {
  return optionReference()
    .map(({ group, options }) => {
      const rows = options.map(
        ({ name, defaultText = "", description }) => `| \`${name}\` | ${defaultText} | ${description} |`,
      );
      return [`#### ${group}`, "", "| Option | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
}
