// Converts the JSON Schemas of the OpenAPI document to TypeScript declarations, for the typed client.
import type { JsonSchema } from "../../../contract/options/option.ts";

/** The keywords that the schemas of this API use. A keyword that only bounds a value has no type in a client. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** The exported declaration of a schema: an interface for an object, a type alias for all else. */
export function typeDeclaration(name: string, jsonSchema: JsonSchema): string {
  const schema = jsonSchema as Schema;
  const { description, properties, required, oneOf } = schema;
  if (!properties) return `${comment(description)}export type ${name} = ${toType(schema)};\n`;
  if (!oneOf) return `${comment(description)}export interface ${name} ${objectType(properties, required)}\n`;
  const fields = `${comment(`The fields of \`${name}\`, all of them optional.`)}export interface ${name}Fields`;
  return `${fields} ${objectType(properties)}\n\n${comment(description)}export type ${name} = ${name}Fields & (${exactlyOne(oneOf)});\n`;
}

/** One of several properties is required and excludes the others. */
function exactlyOne(alternatives: readonly Schema[]): string {
  const names = alternatives.flatMap(({ required = [] }) => required);
  const alternative = (name: string) =>
    names.map((each) => (each === name ? `${each}: string` : `${each}?: never`)).join("; ");
  return names.map((name) => `{ ${alternative(name)} }`).join(" | ");
}

function toType(schema: Schema): string {
  const { $ref, type, oneOf, anyOf, items, properties, required, additionalProperties } = schema;
  if ($ref !== undefined) return referencedType($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = oneOf ?? anyOf;
  if (alternatives) return [...new Set(alternatives.map(toType))].join(" | ");
  if (typeof type === "object") return type.map((each) => toType({ ...schema, type: each })).join(" | ");
  if (properties) return objectType(properties, required);
  if (type === "object") {
    const value = typeof additionalProperties === "object" ? toType(additionalProperties) : "unknown";
    return `{ readonly [name: string]: ${value} }`;
  }
  if (type === "array") return `readonly (${toType(items ?? {})})[]`;
  if (type === "integer") return "number";
  return type ?? "unknown";
}

/** `#/components/schemas/Name`, or a property of it: `#/components/schemas/Name/properties/name`. */
function referencedType($ref: string): string {
  const [name = "", , property] = $ref.replace("#/components/schemas/", "").split("/");
  return property === undefined ? name : `${name}Fields["${property}"]`;
}

function objectType(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${comment(schema.description)}readonly ${name}${optional}: ${toType(schema)};`;
  });
  return `{\n${lines.join("\n").replaceAll(/^/gm, "  ")}\n}`;
}

/** A documentation comment; nothing for a schema without a description. */
function comment(description: string | undefined): string {
  if (description === undefined) return "";
  const lines = description.replaceAll("*/", "*\\/").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
