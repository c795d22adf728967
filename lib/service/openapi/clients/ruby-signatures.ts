// The signatures of the Ruby client that follow from the contract: types of results, and methods that take options as keyword arguments.
import { propertiesOf, schemasWithNames } from "./client-schemas.ts";
import { comment, rubyKeywords, rubyType } from "./ruby-types.ts";

interface Method {
  readonly name: string;
  /** The schema of its keyword arguments. */
  readonly keywords: string;
  readonly positional?: string;
  readonly further?: string;
  readonly result: string;
  /** The result is that of a block, or an enumerator of these items. */
  readonly lists?: true;
}

const OPTIONS = "?(String | Hash[Symbol, untyped])?";

const methods: Readonly<Record<string, readonly Method[]>> = {
  Client: [
    { name: "capture", positional: OPTIONS, keywords: "CaptureOptions", result: "Capture" },
    {
      name: "capture_to_file",
      positional: "(String | Hash[Symbol, untyped]), (String | Pathname)",
      keywords: "CaptureOptions",
      result: "CaptureInfo",
    },
    { name: "store", positional: OPTIONS, keywords: "CaptureOptions", result: "capture_result" },
    { name: "store_outputs", positional: OPTIONS, keywords: "OutputsOptions", result: "outputs_result" },
    { name: "validate", positional: OPTIONS, keywords: "CaptureOptions", result: "capture_validation" },
    { name: "enqueue", positional: OPTIONS, keywords: "CaptureOptions", result: "capture_accepted" },
    {
      name: "link",
      positional: OPTIONS,
      keywords: "CaptureOptions",
      further: "?expires_in: Numeric",
      result: "String",
    },
    { name: "jobs", keywords: "AsyncCaptureFilter", result: "capture_state", lists: true },
    { name: "test_webhook", keywords: "WebhookTestRequest", result: "webhook_test" },
    { name: "bulk", keywords: "Bulk", result: "Array[bulk_capture | refused_capture]" },
    { name: "captures", keywords: "CaptureFilter", result: "capture_log", lists: true },
    { name: "search", keywords: "SearchFilter", result: "capture_log", lists: true },
    { name: "export_captures", keywords: "ExportFilter", result: "String" },
    { name: "start_export", keywords: "ExportRequest", result: "data_export" },
    { name: "usage", keywords: "StatisticsFilter", result: "usage_day", lists: true },
    { name: "statistics", keywords: "StatisticsFilter", result: "usage_statistics" },
    { name: "breakdown", keywords: "BreakdownFilter", result: "usage_breakdown" },
  ],
  Keys: [
    { name: "create", keywords: "NewKey", result: "issued_key" },
    { name: "change", positional: "Integer", keywords: "KeyChanges", result: "key" },
    { name: "rotate", positional: "Integer", keywords: "KeyRotation", result: "issued_key" },
  ],
  Receivers: [
    { name: "create", keywords: "NewWebhookReceiver", result: "issued_webhook_receiver" },
    { name: "change", positional: "String", keywords: "WebhookReceiverChanges", result: "webhook_receiver" },
    {
      name: "rotate_secret",
      positional: "String",
      keywords: "WebhookSecretRotation",
      result: "issued_webhook_receiver",
    },
    { name: "replay", positional: "String", keywords: "WebhookReplayRequest", result: "webhook_replay" },
    {
      name: "deliveries",
      positional: "String",
      keywords: "WebhookDeliveryFilter",
      result: "webhook_delivery",
      lists: true,
    },
  ],
};

/** As keyword arguments, they are those of the call; the option of a capture with the name of one is for a hash. */
const CALL = ["?timeout: Numeric", "?retries: Integer", "?idempotency_key: String"];

export function rubySignatures(): string {
  const schemas = schemasWithNames();
  const keywordSchemas = new Set([
    "CaptureOutput",
    ...Object.values(methods).flatMap((all) => all.map(({ keywords }) => keywords)),
  ]);
  const results = Object.entries(schemas).filter(([name]) => !keywordSchemas.has(name));
  const classes = Object.entries(methods).map(
    ([name, all]) => `  class ${name}\n${all.map(declaration).join("\n")}  end\n`,
  );
  return `module ScreenCapture\n  type capture_options = Hash[Symbol, untyped]\n\n${results.map(([name, schema]) => rubyType(name, schema)).join("\n")}\n${classes.join("\n")}end\n`;

  function declaration(method: Method): string {
    const { name, keywords, result, lists } = method;
    const isRepeated = keywords === "CaptureOptions" || keywords === "OutputsOptions";
    const described = parameters(method, name === "capture" || !isRepeated);
    if (lists) {
      return `    def ${name}: ${described} -> Enumerator[${result}, untyped]\n      | ${parameters(method, false)} { (${result}) -> void } -> untyped\n`;
    }
    const note = isRepeated && name !== "capture" ? "Its keyword arguments are those of `capture`." : undefined;
    return `${comment(note, "    ")}    def ${name}: ${described} -> ${result}\n`;
  }

  function parameters({ name, positional, keywords, further }: Method, described: boolean): string {
    const schema = schemas[keywords];
    const { timeout: _, ...properties } = propertiesOf(schema);
    const required = positional === OPTIONS ? [] : schema?.["required"];
    const options = rubyKeywords({ properties, required }, { described });
    const all = [positional, options, further, ...(name === "link" ? [] : CALL)].filter((each) => each);
    return `(${all.join(", ").replace(/(?<=,) (?=\s)/, "")})`;
  }
}
