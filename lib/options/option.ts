// One option of a capture: its schema together with what is told about it.
import * as v from "valibot";
import type { FormatKind } from "./formats.ts";

/** JSON Schema of the values that may be sent, as OpenAPI 3.1 shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OptionFacts {
  /** Written for callers, in Markdown: it is the text of the OpenAPI document and of docs/reference. */
  readonly description: string;
  /** The kinds of formats it means something for. @default all of them */
  readonly only?: readonly FormatKind[];
  /** True when its value must be kept in no log. */
  readonly secret?: boolean;
  /** True when it has no effect without another option, so that its default must not be sent alone. @default false */
  readonly needsOthers?: boolean;
  /** The default in words, where it is not the value of the schema alone but follows from other options. */
  readonly otherwise?: string;
}

/** Adds its facts to an option's schema. */
export const option = <T extends v.GenericSchema>(schema: T, facts: OptionFacts) =>
  v.pipe(schema, v.metadata({ ...facts }));

/** Adds the JSON Schema of what may be sent to a schema that coerces. */
export const inputForm = <T extends v.GenericSchema>(schema: T, jsonSchema: JsonSchema) =>
  v.pipe(schema, v.metadata({ jsonSchema }));

/** What was told about an option, and the JSON Schema of its values. */
export function optionFacts(entry: v.GenericSchema): OptionFacts & { readonly jsonSchema: JsonSchema } {
  const schema = "wrapped" in entry ? (entry.wrapped as v.GenericSchema) : entry;
  return v.getMetadata(schema) as unknown as OptionFacts & { jsonSchema: JsonSchema };
}
