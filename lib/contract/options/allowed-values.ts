// The values that an option accepts, in a few words of Markdown.
import type { JsonSchema } from "./option.ts";

/** What the JSON Schemas of options consist of. */
export interface SchemaParts {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: SchemaParts;
  readonly oneOf?: readonly SchemaParts[];
  readonly examples?: readonly unknown[];
}

export function allowedValues(schema: JsonSchema | SchemaParts): string {
  const { type, enum: names, minimum, maximum, items, oneOf, examples } = schema as SchemaParts;
  if (oneOf) return oneOf.map(allowedValues).join(" or ");
  if (names) return names.map((name) => (name === "" ? "empty" : `\`${name}\``)).join(", ");
  if (type === "array") {
    const values = allowedValues(items ?? {});
    return values.startsWith("such as") ? `list, ${values}` : `list of ${values}`;
  }
  if (type === "boolean") return "`true`, `false`";
  if (minimum !== undefined && maximum !== undefined) return `${formatNumber(minimum)} to ${formatNumber(maximum)}`;
  const [example] = examples ?? [];
  return typeof example === "string" ? `such as \`${example}\`` : (type ?? "text").replace("string", "text");
}

/** With separators, and with a minus sign that doesn't break a line. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US").replace("-", "−");
}
