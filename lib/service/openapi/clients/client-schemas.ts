// The schemas of the OpenAPI document under the names that clients give their types.
import type { JsonSchema } from "../../../contract/options/option.ts";
import { clientContract, filterSchemas } from "./client-contract.ts";

export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

/**
 * The schemas by the names of their types, those of filters last: `CaptureOptions` are the options of a capture without what follows from the
 * method, such as `outputs`, and the codes of problems have a name.
 */
export function clientSchemas(): NamedSchemas {
  const {
    CaptureOptions: options,
    BulkOptions: _,
    Health: __,
    OpenapiDocument: ___,
    Error: errorBody = {},
    ...others
  } = clientContract().components.schemas;
  const { async: ____, response_type: _____, outputs: ______, ...properties } = propertiesOf(options);
  const { code = {}, ...rest } = propertiesOf(others["Problem"]);
  const schemas = {
    CaptureOptions: { type: "object", description: options?.["description"], properties },
    ...others,
    Problem: { ...others["Problem"], properties: { code: reference("ProblemCode"), ...rest } },
    ProblemCode: code,
    ErrorBody: errorBody,
  };
  return { ...renameReferences(schemas), ...filterSchemas() };
}

/** These schemas with names for the options of several results, and for the days of statistics. */
export function schemasWithNames(): NamedSchemas {
  const { CaptureOptions = {}, UsageStatistics = {}, ...others } = clientSchemas();
  const { series = {}, ...totals } = propertiesOf(UsageStatistics);
  const { outputs } = propertiesOf(clientContract().components.schemas["CaptureOptions"]);
  const items = reference("UsageDay");
  return {
    CaptureOptions,
    OutputsOptions: {
      type: "object",
      description: "The options of several results of a page: those of each one in `outputs`, and all others once.",
      properties: { ...propertiesOf(CaptureOptions), outputs },
      required: ["outputs"],
    },
    ...others,
    UsageStatistics: { ...UsageStatistics, properties: { series: { ...series, items }, ...totals } },
    UsageDay: series["items"] as JsonSchema,
  };
}

export function propertiesOf(schema: JsonSchema | undefined): NamedSchemas {
  return (schema?.["properties"] ?? {}) as NamedSchemas;
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function renameReferences(schemas: NamedSchemas): NamedSchemas {
  const renamed: Readonly<Record<string, string>> = { Error: "ErrorBody", BulkOptions: "CaptureOptions" };
  return JSON.parse(JSON.stringify(schemas), (key, value) => {
    if (key !== "$ref") return value;
    const name = value.replace("#/components/schemas/", "");
    return reference(renamed[name] ?? name)["$ref"];
  });
}
