// Converts the JSON Schemas of the OpenAPI document to types of RBS 2, for the Ruby client.
import type { JsonSchema } from "../../../contract/options/option.ts";
import type { Schema } from "./typescript-types.ts";

/** The declaration of a type. A property of a hash that can be missing is nil then, because RBS 2 knows no optional ones. */
export function rubyType(name: string, jsonSchema: JsonSchema): string {
  const schema = jsonSchema as Schema;
  return `${comment(schema.description, "  ")}  type ${snakeCase(name)} = ${toType(schema)}\n`;
}

/** The properties of a schema as keyword arguments; with descriptions, on lines of their own. */
export function rubyKeywords(jsonSchema: JsonSchema, { described }: { readonly described: boolean }): string {
  const { properties = {}, required = [] } = jsonSchema as Schema;
  const keywords = Object.entries(properties).map(([name, schema]) => {
    const keyword = `${required.includes(name) ? "" : "?"}${name}: ${toArgument(schema)}`;
    return described ? `\n${comment(schema.description, "      ")}      ${keyword}` : keyword;
  });
  return keywords.join(described ? "," : ", ");
}

/** A type that callers pass: a hash has any keys, because RBS 2 knows no optional ones. */
function toArgument(schema: Schema): string {
  const { type, oneOf, anyOf, items, properties, $ref } = schema;
  if ($ref !== undefined || properties || type === "object") return "Hash[Symbol, untyped]";
  const alternatives = oneOf ?? anyOf;
  if (alternatives) return union(alternatives.map(toArgument));
  return type === "array" ? `Array[${toArgument(items ?? {})}]` : toType(schema);
}

function toType(schema: Schema): string {
  const { $ref, type, oneOf, anyOf, items, properties, required = [], additionalProperties } = schema;
  if ($ref !== undefined) return snakeCase($ref.replace("#/components/schemas/", ""));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (properties) {
    const fields = Object.entries(properties).map(([name, property]) => {
      const type = toType(property);
      return `${name}: ${required.includes(name) ? type : optional(type)}`;
    });
    return `{ ${fields.join(", ")} }`;
  }
  const alternatives = oneOf ?? anyOf;
  if (alternatives) return union(alternatives.map(toType));
  if (typeof type === "object") return union(type.map((each) => toType({ ...schema, type: each })));
  if (type === "object") {
    return `Hash[Symbol, ${typeof additionalProperties === "object" ? toType(additionalProperties) : "untyped"}]`;
  }
  return type === "array" ? `Array[${toType(items ?? {})}]` : (simpleTypes[type ?? ""] ?? "untyped");
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: "String",
  integer: "Integer",
  number: "Numeric",
  boolean: "bool",
  null: "nil",
};

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const others = distinct.filter((each) => each !== "nil");
  const [first = "nil"] = others;
  const joined = others.length > 1 ? `(${others.join(" | ")})` : first;
  return others.length < distinct.length && others.length > 0 ? optional(joined) : joined;
}

function optional(type: string): string {
  return type.endsWith("?") || type === "untyped" || type === "nil" ? type : `${type}?`;
}

/** The lines of a comment; nothing without a text. */
export function comment(text: string | undefined, margin: string): string {
  return text === undefined ? "" : `${text.replaceAll(/^/gm, `${margin}# `)}\n`;
}

export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}
