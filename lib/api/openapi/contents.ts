// The content of responses with a result, by media type.
import type { GenericSchema } from "valibot";
import { type Format, formatKind, formats, mimeTypes } from "../../options/formats.ts";
import type { JsonSchema } from "../../options/option.ts";
import { routeResponses } from "../route-responses.ts";
import { responseRef } from "./response-schemas.ts";

type Contents = Record<string, { readonly schema: JsonSchema }>;

const bytes: JsonSchema = { type: "string", format: "binary" };
const text: JsonSchema = { type: "string" };

/** The content of a capture: the bytes of its result, or JSON. */
export function captureContents(): Contents {
  return contentsWith(routeResponses["POST /api/v1/screenshot"][200]);
}

/** The content of a stored result: its bytes or, with `format=json`, its metadata. */
export function resultContents(status: 200 | 206): Contents {
  return contentsWith(routeResponses["GET /storage/{key+}"][status]);
}

function contentsWith(jsonSchemas: readonly GenericSchema[]): Contents {
  // Some generators (hey-api) take the type of a response from its JSON alone, so that it must include the other types.
  const json: JsonSchema = {
    description: "JSON responses are one of the objects. The other media types have bytes or text.",
    anyOf: [...jsonSchemas.map(responseRef), bytes, text],
  };
  return Object.fromEntries(
    formats.map((format) => [
      mimeTypes[format].split(";")[0],
      { schema: format === "json" ? json : contentSchema(format) },
    ]),
  );
}

function contentSchema(format: Format): JsonSchema {
  return formatKind(format) === "document" ? text : bytes;
}
