// The bodies of answers that carry a result, by media type.
import { type Format, formats, kindOf, mimeTypes } from "../formats.ts";
import type { JsonSchema } from "../option.ts";

type Contents = Record<string, { readonly schema: JsonSchema }>;

/** The body of a capture: its bytes or, as JSON, where it is stored or what is known of the page. */
export function captureContents(): Contents {
  const anyOf = ["CaptureResult", "CaptureMetadata"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return contentsOf({ anyOf });
}

/** The body of a stored result: its bytes or, of the format `json`, what is known of the page. */
export function resultContents(): Contents {
  return contentsOf({ $ref: "#/components/schemas/CaptureMetadata" });
}

function contentsOf(json: JsonSchema): Contents {
  return Object.fromEntries(
    formats.map((format) => [mimeTypes[format].split(";")[0], { schema: format === "json" ? json : schemaOf(format) }]),
  );
}

function schemaOf(format: Format): JsonSchema {
  return { type: "string", ...(kindOf(format) !== "document" && { format: "binary" }) };
}
