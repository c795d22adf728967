// The content of successful responses, by media type.
import type { GenericSchema } from "valibot";
import { type Format, formatKind, formats, mimeTypes } from "../../contract/options/formats.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import type { RouteResponse } from "../http/route.ts";
import { responseRef } from "./response-schemas.ts";

type Contents = Record<string, { readonly schema: JsonSchema }>;

const bytes: JsonSchema = { type: "string", format: "binary" };
const text: JsonSchema = { type: "string" };

/** The content of a response: JSON, the bytes or the JSON of a result, or what it states itself. */
export function contents({ json = [], content = {} }: RouteResponse): Contents {
  if (content === "result") return resultContents(json);
  const [schema] = json;
  return {
    ...(schema && { "application/json": { schema: responseRef(schema) } }),
    ...Object.fromEntries(Object.entries(content).map(([type, own]) => [type, { schema: own }])),
  };
}

/** The result of a capture in each of its formats, JSON, or an archive of several results. */
function resultContents(jsonSchemas: readonly GenericSchema[]): Contents {
  // Some generators (hey-api) take the type of a response from its JSON alone, so that it must include the other types.
  const json: JsonSchema = {
    description: "JSON responses are one of the objects. The other media types have bytes or text.",
    anyOf: [...jsonSchemas.map(responseRef), bytes, text],
  };
  const ofFormats = formats.map((format) => [
    mimeTypes[format].split(";")[0],
    { schema: isJson(format) ? json : contentSchema(format) },
  ]);
  return { ...Object.fromEntries(ofFormats), "application/zip": { schema: bytes } };
}

function isJson(format: Format): boolean {
  return format === "json" || format === "elements";
}

function contentSchema(format: Format): JsonSchema {
  return formatKind(format) === "document" ? text : bytes;
}
