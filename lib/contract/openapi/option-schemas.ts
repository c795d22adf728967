// The options of a capture as OpenAPI shows them: as query parameters, and as one object.
import type { JsonSchema } from "../option.ts";
import { type OptionReference, optionReference, referenceOf, scopeOf } from "../option-reference.ts";

/** The options as parameters of the query; a list is sent as a repeated parameter. */
export function captureParameters(): JsonSchema[] {
  return parametersOf(optionReference().flatMap(({ options }) => options));
}

/** The entries of a schema as parameters of the query. */
export function queryParameters(entries: Parameters<typeof referenceOf>[0]): JsonSchema[] {
  return parametersOf(referenceOf(entries));
}

function parametersOf(options: readonly OptionReference[]): JsonSchema[] {
  return options.map((option) => {
    const schema = asText(option.jsonSchema);
    return {
      name: option.name,
      in: "query",
      description: describe(option),
      ...(schema.type === "array" && { style: "form", explode: true }),
      schema: withDefault(schema, option),
    };
  });
}

/** The object of options of a JSON or form body, with exactly one input. */
export function captureOptionsSchema(): JsonSchema {
  const options = optionReference().flatMap((group) => group.options);
  return {
    type: "object",
    description: "What to capture and how. Exactly one of `url`, `html` and `markdown`.",
    properties: Object.fromEntries(
      options.map((option) => [
        option.name,
        { description: describe(option), ...withDefault(option.jsonSchema, option) },
      ]),
    ),
    oneOf: [{ required: ["url"] }, { required: ["html"] }, { required: ["markdown"] }],
    additionalProperties: false,
    examples: [
      { url: "https://example.com", full_page: true },
      { html: "<h1>Hello</h1>", format: "pdf", pdf_paper_format: "a5" },
    ],
  };
}

/** The forms of a value that a query can hold: no objects. */
function asText(schema: JsonSchema): JsonSchema {
  const { oneOf, items, ...rest } = schema as JsonSchema & { oneOf?: JsonSchema[]; items?: JsonSchema };
  const [form] = oneOf?.filter(({ type }) => type !== "object") ?? [];
  return { ...rest, ...form, ...(items && { items: asText(items) }) };
}

/** The default is a keyword only where it may be sent as it stands: where it follows from other options, it is told. */
function withDefault(schema: JsonSchema, { defaultValue }: OptionReference): JsonSchema {
  return defaultValue === undefined ? schema : { ...schema, default: defaultValue };
}

function describe(option: OptionReference): string {
  const { description, defaultText, defaultValue, secret } = option;
  const isTold = defaultText !== undefined && defaultValue === undefined;
  return [
    description,
    scopeOf(option),
    isTold ? `Default: ${defaultText}.` : "",
    secret ? "Its value is kept in no log." : "",
  ]
    .filter(Boolean)
    .join(" ");
}
