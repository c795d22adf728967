// What the clients of typed languages take for an option.

import type { JsonSchema } from "../../contract/options/option.ts";
import { optionReference } from "../../contract/options/option-reference.ts";
import { pascalCase } from "../../service/openapi/clients/pascal-case.ts";

/** The type of an option's value; `other` for a value that only the untyped form of an option takes. */
export type OptionKind = "text" | "choice" | "integer" | "number" | "boolean" | "texts" | "choices" | "map" | "other";

const schemas = new Map(
  optionReference().flatMap(({ options }) => options.map((each) => [each.name, each.jsonSchema] as const)),
);

/** The kind of an option for a value that it is sent with. */
export function optionKind(name: string, value: unknown): OptionKind {
  const schema: JsonSchema = name === "name" ? { type: "string" } : (schemas.get(name) ?? {});
  const { type, enum: choices, items, oneOf } = schema as { [keyword: string]: unknown; items?: JsonSchema };
  if (Array.isArray(value)) {
    if (type !== "array" || items?.["type"] !== "string" || !value.every((each) => typeof each === "string"))
      return "other";
    return isChoice(items["enum"], value) ? "choices" : items["enum"] ? "other" : "texts";
  }
  if (Array.isArray(oneOf) && isTextMap(value)) return "map";
  if (typeof value === "string" && type === "string") {
    return choices === undefined ? "text" : isChoice(choices, [value]) ? "choice" : "other";
  }
  if (typeof value === "boolean" && type === "boolean") return "boolean";
  if (typeof value !== "number") return "other";
  if (type === "integer") return Number.isInteger(value) ? "integer" : "other";
  return type === "number" ? "number" : "other";
}

/** The name of the type with the choices of an option: options with the same choices share one. */
export function choiceType(name: string): string {
  return sharedTypes[name] ?? pascalCase(name);
}

const sharedTypes: Readonly<Record<string, string>> = {
  fail_if_problem: "ProblemCode",
  scripts_wait_until: "WaitUntil",
  block_resources: "BlockResource",
};

function isChoice(choices: unknown, values: readonly unknown[]): boolean {
  return Array.isArray(choices) && values.every((value) => choices.includes(value));
}

function isTextMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "string");
}
