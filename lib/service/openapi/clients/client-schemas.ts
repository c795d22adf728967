// The schemas of the OpenAPI document under the names that clients give their types.
import type { JsonSchema } from "../../../contract/options/option.ts";
import { clientContract, filterSchemas } from "./client-contract.ts";

/**
 * The schemas by the names of their types, those of filters included: `CaptureOptions` are the options of a capture without what follows
 * from the method, such as `outputs`; `OutputsOptions` are those of several results; codes of problems and the days of statistics have names.
 */
export function clientSchemas(): Readonly<Record<string, JsonSchema>> {
  const {
    CaptureOptions,
    BulkOptions: _,
    Health: __,
    OpenapiDocument: ___,
    Error: errorBody,
    ...others
  } = clientContract().components.schemas;
  const { properties, description } = CaptureOptions as ObjectSchema;
  const { async: ____, response_type: _____, outputs = {}, ...options } = properties;
  const problem = others["Problem"] as ObjectSchema;
  const statistics = others["UsageStatistics"] as ObjectSchema;
  const series = statistics.properties["series"] as { readonly items: JsonSchema };
  return renameReferences({
    CaptureOptions: { type: "object", description, properties: options },
    OutputsOptions: {
      type: "object",
      description: "The options of several results of a page: those of each one in `outputs`, and all others once.",
      properties: { ...options, outputs },
      required: ["outputs"],
    },
    ...others,
    Problem: { ...problem, properties: { ...problem.properties, code: reference("ProblemCode") } },
    ProblemCode: problem.properties["code"] ?? {},
    UsageStatistics: {
      ...statistics,
      properties: { ...statistics.properties, series: { ...series, items: reference("UsageDay") } },
    },
    UsageDay: series.items,
    ErrorBody: errorBody ?? {},
    ...filterSchemas(),
  });
}

interface ObjectSchema {
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function renameReferences(schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  const renamed: Readonly<Record<string, string>> = { Error: "ErrorBody", BulkOptions: "CaptureOptions" };
  return JSON.parse(JSON.stringify(schemas), (key, value) => {
    if (key !== "$ref") return value;
    const name = value.replace("#/components/schemas/", "");
    return reference(renamed[name] ?? name)["$ref"];
  });
}
