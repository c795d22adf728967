// An option: its schema and its documentation.
import * as v from "valibot";
import type { FormatKind } from "./formats.ts";

/** JSON Schema of the values that may be sent, for OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OptionFacts {
  /** For callers, in Markdown: printed in the OpenAPI document and in the reference. */
  readonly description: string;
  /** The kinds of formats it applies to. @default all of them */
  readonly only?: readonly FormatKind[];
  /** True when its value must not be logged. */
  readonly secret?: boolean;
  /** Names of options of which it needs one: alone it has no effect, and is refused. */
  readonly needs?: readonly string[];
  /** The default in words, when it depends on other options. */
  readonly otherwise?: string;
  /** A value for the samples in the documentation, as text. @default a value that the schema allows */
  readonly sample?: string;
  /** What a sample sends with it. @default samples of what it needs, and a format that it applies to */
  readonly sampleWith?: Readonly<Record<string, string>>;
}

/** What the schema of an option says of its values. */
export interface ValueFacts {
  readonly jsonSchema: JsonSchema;
  /** Those of the schema's names that mean another one; undefined for options without names. */
  readonly aliases?: readonly string[];
}

/** Adds facts to the schema of an option. */
export const option = <T extends v.GenericSchema>(schema: T, facts: OptionFacts) =>
  v.pipe(schema, v.metadata({ ...facts }));

/** Adds the JSON Schema of what may be sent to a schema that coerces. */
export const inputForm = <T extends v.GenericSchema>(schema: T, jsonSchema: JsonSchema) =>
  v.pipe(schema, v.metadata({ jsonSchema }));

/** The facts of an option and of its values. */
export function optionFacts(entry: v.GenericSchema): OptionFacts & ValueFacts {
  const schema = "wrapped" in entry ? (entry.wrapped as v.GenericSchema) : entry;
  return v.getMetadata(schema) as unknown as OptionFacts & ValueFacts;
}
