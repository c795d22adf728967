// Capture options in the OpenAPI document: as query parameters, and as the properties of a body.
import type { JsonSchema } from "../../contract/options/option.ts";
import {
  describeOption,
  describeScope,
  type OptionReference,
  optionReference,
} from "../../contract/options/option-reference.ts";
import { outputNameSchema, outputsEntries, ownOptionEntries } from "../../contract/options/outputs.ts";

/**
 * The entries of a schema as parameters of the query. A default that depends on other options is part of the description, any other
 * is the keyword `default`.
 */
export function queryParameters(entries: Parameters<typeof describeOption>[0]): JsonSchema[] {
  return describeOption(entries).map((option) => {
    const { name, defaultValue, defaultText } = option;
    const schema = queryForm(option.jsonSchema);
    return {
      name,
      in: "query",
      description: describe(option, defaultValue === undefined ? defaultText : undefined),
      ...(schema["type"] === "array" && { style: "form", explode: true }),
      schema: { ...schema, ...(defaultValue !== undefined && { default: defaultValue }) },
    };
  });
}

/** The entries of a schema as properties of a JSON or form body. */
export function bodyProperties(entries: Parameters<typeof describeOption>[0]): Record<string, JsonSchema> {
  return toProperties(describeOption(entries));
}

/** The object of options of a JSON or form body, with exactly one input. */
export function captureOptionsSchema(): JsonSchema {
  return {
    type: "object",
    description: "What to capture, and how. Send exactly one of `url`, `html`, and `markdown`.",
    properties: { ...toProperties(referenceOptions()), ...bodyProperties(outputsEntries) },
    oneOf: [{ required: ["url"] }, { required: ["html"] }, { required: ["markdown"] }],
    additionalProperties: false,
    examples: [
      { url: "https://example.com", full_page: true },
      { html: "<h1>Hello</h1>", format: "pdf", pdf_paper_format: "a5" },
      { url: "https://example.com", format: "mp4", video_scenario: "scroll", video_duration: 10 },
    ],
  };
}

/** One entry of `outputs`. */
export function captureOutputSchema(): JsonSchema {
  const { full_page_slices: _, ...entries } = ownOptionEntries;
  return {
    type: "object",
    description: "One of several results of a page: its name, and the options of this result.",
    required: ["name"],
    properties: { name: outputNameSchema, ...bodyProperties(entries) },
    additionalProperties: false,
    examples: [
      { name: "page", full_page: true },
      { name: "text", format: "markdown" },
    ],
  };
}

function referenceOptions(): OptionReference[] {
  return optionReference().flatMap(({ options }) => options);
}

/** Defaults are part of the description: many generators make a property with a `default` a required one. */
function toProperties(options: readonly OptionReference[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    options.map((option) => [option.name, { description: describe(option, option.defaultText), ...option.jsonSchema }]),
  );
}

/** The forms of a value that a query can hold, which excludes objects. */
function queryForm(schema: JsonSchema): JsonSchema {
  const { oneOf, items, ...rest } = schema as JsonSchema & { oneOf?: JsonSchema[]; items?: JsonSchema };
  const [form] = oneOf?.filter(({ type }) => type !== "object") ?? [];
  return { ...rest, ...form, ...(items && { items: queryForm(items) }) };
}

function describe(option: OptionReference, defaultText: string | undefined): string {
  const sentences = [
    option.description,
    describeScope(option),
    defaultText === undefined ? "" : `Default: ${defaultText}.`,
    option.secret ? "Never logged." : "",
  ];
  return sentences.filter(Boolean).join(" ");
}
