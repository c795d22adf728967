// Converts the JSON Schemas of the OpenAPI document to type aliases of PHPStan, for the PHP client.
import type { JsonSchema } from "../../../contract/options/option.ts";
import type { Schema } from "./typescript-types.ts";

/**
 * The lines of a doc comment with the `@phpstan-type` of a schema. Descriptions of properties come before it, because PHPStan 1 knows no
 * comments in a type.
 */
export function phpstanType(name: string, jsonSchema: JsonSchema): readonly string[] {
  const schema = jsonSchema as Schema;
  const { description, properties = {} } = schema;
  const described = Object.entries(properties).flatMap(([property, { description: text }]) =>
    text === undefined ? [] : [`- \`${property}\`: ${inComment(text)}`],
  );
  return [
    ...(description === undefined && described.length === 0 ? [] : [`${name}: ${inComment(description ?? "")}`.trim()]),
    ...described,
    ...`@phpstan-type ${name} ${toType(schema)}`.split("\n"),
    "",
  ];
}

function toType({
  $ref,
  type,
  oneOf,
  anyOf,
  items,
  properties,
  required = [],
  additionalProperties,
  ...rest
}: Schema): string {
  if ($ref !== undefined) return $ref.replace("#/components/schemas/", "");
  if ("const" in rest) return literal(rest.const);
  if (rest.enum) return rest.enum.map(literal).join("|");
  if (properties) return shape(properties, required);
  const alternatives = oneOf ?? anyOf;
  if (alternatives) return union(alternatives.map(toType));
  if (typeof type === "object")
    return union(type.map((each) => toType({ ...rest, type: each, ...(items && { items }) })));
  if (type === "object") {
    return `array<string, ${typeof additionalProperties === "object" ? toType(additionalProperties) : "mixed"}>`;
  }
  if (type === "array") return `list<${toType(items ?? {})}>`;
  return simpleTypes[type ?? ""] ?? "mixed";
}

function shape(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    return `${name}${required.includes(name) ? "" : "?"}: ${toType(schema)},`;
  });
  return `array{\n${fields.join("\n").replaceAll(/^/gm, "  ")}\n}`;
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: "string",
  integer: "int",
  number: "int|float",
  boolean: "bool",
  null: "null",
};

function union(types: readonly string[]): string {
  return [...new Set(types)].join("|");
}

function literal(value: unknown): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

/** A text that doesn't end the comment, and that tools don't take for a tag. */
export function inComment(text: string): string {
  return text.replaceAll("*/", "*\\/").replaceAll("\n", " ").replaceAll("@", "&#64;");
}
