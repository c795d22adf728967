// The options of a capture as OpenAPI shows them: as query parameters, and as one object.
import type { JsonSchema } from "../../options/option.ts";
import {
  describeOption,
  describeScope,
  type OptionReference,
  optionReference,
} from "../../options/option-reference.ts";

/** The options as parameters of the query; a list is sent as a repeated parameter. */
export function captureParameters(): JsonSchema[] {
  return parametersOf(captureOptions());
}

/** The entries of a schema as parameters of the query. */
export function queryParameters(entries: Parameters<typeof describeOption>[0]): JsonSchema[] {
  return parametersOf(describeOption(entries));
}

/** The entries of a schema as properties of a JSON or form body. */
export function bodyProperties(entries: Parameters<typeof describeOption>[0]): Record<string, JsonSchema> {
  return propertiesOf(describeOption(entries));
}

/** The object of options of a JSON or form body, with exactly one input. */
export function captureOptionsSchema(): JsonSchema {
  return {
    type: "object",
    description: "What to capture and how. Exactly one of `url`, `html` and `markdown`.",
    properties: propertiesOf(captureOptions()),
    oneOf: [{ required: ["url"] }, { required: ["html"] }, { required: ["markdown"] }],
    additionalProperties: false,
    examples: [
      { url: "https://example.com", full_page: true },
      { html: "<h1>Hello</h1>", format: "pdf", pdf_paper_format: "a5" },
      { url: "https://example.com", format: "mp4", video_scenario: "scroll", video_duration: 10 },
    ],
  };
}

function captureOptions(): OptionReference[] {
  return optionReference().flatMap(({ options }) => options);
}

/**
 * Defaults are told in words: many generators take a property that has one for a property that is always there, and would
 * have callers send them all.
 */
function propertiesOf(options: readonly OptionReference[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    options.map((option) => [option.name, { description: describe(option, option.defaultText), ...option.jsonSchema }]),
  );
}

/** A default is a keyword only where it may be sent as it stands: where it follows from other options, it is told. */
function parametersOf(options: readonly OptionReference[]): JsonSchema[] {
  return options.map((option) => {
    const { name, defaultValue, defaultText } = option;
    const schema = asText(option.jsonSchema);
    return {
      name,
      in: "query",
      description: describe(option, defaultValue === undefined ? defaultText : undefined),
      ...(schema["type"] === "array" && { style: "form", explode: true }),
      schema: { ...schema, ...(defaultValue !== undefined && { default: defaultValue }) },
    };
  });
}

/** The forms of a value that a query can hold: no objects. */
function asText(schema: JsonSchema): JsonSchema {
  const { oneOf, items, ...rest } = schema as JsonSchema & { oneOf?: JsonSchema[]; items?: JsonSchema };
  const [form] = oneOf?.filter(({ type }) => type !== "object") ?? [];
  return { ...rest, ...form, ...(items && { items: asText(items) }) };
}

function describe(option: OptionReference, defaultText: string | undefined): string {
  const sentences = [
    option.description,
    describeScope(option),
    defaultText === undefined ? "" : `Default: ${defaultText}.`,
    option.secret ? "Its value is kept in no log." : "",
  ];
  return sentences.filter(Boolean).join(" ");
}
