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
  /** True when it needs another option, so that its default must not be sent alone. @default false */
  readonly needsOthers?: boolean;
  /** The default in words, when it depends on other options. */
  readonly otherwise?: string;
}

/** Adds facts to the schema of an option. */
export const option = <T extends v.GenericSchema>(schema: T, facts: OptionFacts) =>
  v.pipe(schema, v.metadata({ ...facts }));

/** Adds the JSON Schema of what may be sent to a schema that coerces. */
export const inputForm = <T extends v.GenericSchema>(schema: T, jsonSchema: JsonSchema) =>
  v.pipe(schema, v.metadata({ jsonSchema }));

/** The facts of an option, and the JSON Schema of its values. */
export function optionFacts(entry: v.GenericSchema): OptionFacts & { readonly jsonSchema: JsonSchema } {
  const schema = "wrapped" in entry ? (entry.wrapped as v.GenericSchema) : entry;
  return v.getMetadata(schema) as unknown as OptionFacts & { jsonSchema: JsonSchema };
}
