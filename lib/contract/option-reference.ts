// The written reference of the capture options, made from their schema.
import * as v from "valibot";
import { captureOptionEntries, captureOptionNames } from "./capture-options.ts";

export interface OptionReference {
  readonly name: string;
  readonly description: string;
  /** As a caller would send it; undefined where nothing is the default. */
  readonly defaultValue: string | undefined;
}

export function optionReference(): OptionReference[] {
  return captureOptionNames.map((name) => {
    const entry = captureOptionEntries[name];
    const value: unknown = v.getDefault(entry);
    return {
      name,
      description: v.getDescription(entry.wrapped) ?? "",
      defaultValue: value === undefined ? undefined : String(value),
    };
  });
}

/** The reference as a Markdown table. */
export function optionTable(): string {
  const rows = optionReference().map(
    ({ name, defaultValue, description }) =>
      `| \`${name}\` | ${defaultValue === undefined ? "" : `\`${defaultValue}\``} | ${description} |`,
  );
  return ["| Option | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}
