// How a value of an option is edited as text, and read back as the API takes it.
import type { OptionReference } from "./contract.ts";
import type { RequestOptions } from "./request-options.ts";

interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly enum?: readonly string[] };
  readonly oneOf?: readonly unknown[];
}

export type Editor =
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "number"; readonly range: string }
  | { readonly kind: "lines"; readonly values: readonly string[] }
  | { readonly kind: "code" }
  | { readonly kind: "text" };

/** Options whose text has several lines. */
const codeOptions = ["scripts", "styles", "markdown_css", "pdf_header_template", "pdf_footer_template"];

export function editorFor({ name, jsonSchema, aliases = [] }: OptionReference): Editor {
  const schema = jsonSchema as ValueSchema;
  if (codeOptions.includes(name)) return { kind: "code" };
  if (schema.type === "boolean") return { kind: "switch" };
  if (schema.type === "integer" || schema.type === "number") {
    const { minimum, maximum } = schema;
    return {
      kind: "number",
      range: minimum === undefined || maximum === undefined ? "" : `${compact(minimum)}–${compact(maximum)}`,
    };
  }
  if (schema.type === "array" || schema.oneOf) return { kind: "lines", values: schema.items?.enum ?? [] };
  if (!schema.enum) return { kind: "text" };
  return { kind: "choice", values: schema.enum.filter((name) => !aliases.includes(name)) };
}

const compact = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** The value of an edited text; undefined for none. An invalid number stays a text, which the validation then names. */
export function parseOptionValue(option: OptionReference, text: string): unknown {
  const editor = editorFor(option);
  const isList = (option.jsonSchema as ValueSchema).type === "array";
  if (text.trim() === "") return undefined;
  if (editor.kind === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (editor.kind === "switch") return text === "true";
  if (editor.kind === "lines") {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => line.trim());
  }
  return editor.kind === "code" && isList ? [text] : text;
}

/** The text that edits a value; the reverse of `readValue`. */
export function showValue(option: OptionReference, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) {
    return value.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n");
  }
  if (option.name === "headers" && typeof value === "object") {
    return Object.entries(value)
      .map(([name, text]) => `${name}: ${text}`)
      .join("\n");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Options whose values can be the texts of a query, with the values that the form edits. Unknown options stay as they are. */
export function typedOptions(
  options: RequestOptions,
  reference: ReadonlyMap<string, OptionReference>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const option = reference.get(name);
      const isText = typeof value === "string" && option !== undefined && editorFor(option).kind !== "text";
      return [name, isText ? parseOptionValue(option, value) : value];
    }),
  );
}
