// The bodies of answers that carry a result, by media type.
import { type Format, formatKind, formats, mimeTypes } from "../../options/formats.ts";
import type { JsonSchema } from "../../options/option.ts";

type Contents = Record<string, { readonly schema: JsonSchema }>;

const bytes: JsonSchema = { type: "string", format: "binary" };
const text: JsonSchema = { type: "string" };

/** The body of a capture: its bytes or, as JSON, where it is stored or what is known of the page. */
export function captureContents(): Contents {
  return contentsOf("CaptureResult", "CaptureMetadata");
}

/** The body of a stored result: its bytes or, of the format `json`, what is known of the page. */
export function resultContents(): Contents {
  return contentsOf("CaptureMetadata");
}

function contentsOf(...schemas: readonly string[]): Contents {
  const refs = schemas.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  // Some generators (hey-api) type an answer by its JSON alone, so that it must name what the other types have.
  const json: JsonSchema = {
    description: "As JSON always one of the objects; bytes and text are the other media types.",
    anyOf: [...refs, bytes, text],
  };
  return Object.fromEntries(
    formats.map((format) => [mimeTypes[format].split(";")[0], { schema: format === "json" ? json : schemaOf(format) }]),
  );
}

function schemaOf(format: Format): JsonSchema {
  return formatKind(format) === "document" ? text : bytes;
}
