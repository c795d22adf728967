// Arguments of tools: their JSON Schema comes from the contract's options, whose values the API itself checks.
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { optionReference } from "../../contract/options/option-reference.ts";
import { MAX_OUTPUTS, MIN_OUTPUTS } from "../../contract/options/output-limits.ts";
import { outputNameSchema } from "../../contract/options/outputs.ts";
import { redactKeys } from "../keys/api-key.ts";

export type ToolArguments = Readonly<Record<string, unknown>>;
type Property = Readonly<Record<string, unknown>>;

const options = new Map(optionReference().flatMap((group) => group.options.map((option) => [option.name, option])));

/** The schemas of these options, by name. */
export function optionProperties(...names: string[]): Record<string, Property> {
  return Object.fromEntries(
    names.map((name) => {
      const option = options.get(name);
      if (!option) throw new Error(`There is no option ${name}.`);
      return [name, { ...option.jsonSchema, description: option.description }];
    }),
  );
}

/** The argument for every option that a tool has no argument for. */
export const moreOptions: Readonly<Record<"options", Property>> = {
  options: {
    type: "object",
    additionalProperties: true,
    description: "Any other options of the API, by name. Find them with describe_options.",
  },
};

/** The argument for several results of one page. */
export const outputsProperty: Readonly<Record<"outputs", Property>> = {
  outputs: {
    type: "array",
    minItems: MIN_OUTPUTS,
    maxItems: MAX_OUTPUTS,
    items: {
      type: "object",
      required: ["name"],
      properties: { name: outputNameSchema, ...optionProperties("format", "full_page", "selector", "image_width") },
      additionalProperties: true,
    },
    description:
      "Several results of the page, in place of format, full_page, selector, and slices: each with a name and the options of its " +
      "result. All other options apply to all of them. Each result costs one capture.",
  },
};

/** True for an argument whose value the API checks. */
function isOption(name: string): boolean {
  return options.has(name) || name === "outputs";
}

interface InputRules {
  readonly required?: readonly string[];
  /** Options that the tool sets itself, each with what to do instead. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/**
 * A schema with these properties. Its validation refuses unknown, missing, and contradictory arguments; the API checks the values
 * of options. An argument that stands in `options` is taken out of it.
 */
export function toolInput(
  properties: Readonly<Record<string, Property>>,
  rules: InputRules = {},
): StandardSchemaWithJSON<ToolArguments, ToolArguments> {
  const jsonSchema = { type: "object", properties, required: rules.required ?? [], additionalProperties: false };
  const validate = (value: unknown = {}) => {
    if (!isObject(value)) return { issues: [{ message: "The arguments must be an object." }] };
    const [{ options: more = {} }, given] = partition(value, (name) => name === "options" && "options" in properties);
    if (!isObject(more)) return { issues: [{ message: "'options' must be an object of option names and values." }] };
    const [named, rest] = partition(more, (name) => Object.hasOwn(properties, name));
    const all = coerce({ ...named, ...given }, properties);
    const problems = [
      ...findUnknown(given, properties),
      ...findContradictions(given, more, rules.fixed),
      ...findWrongValues(all, properties, rules.required),
    ];
    // In one issue, because the MCP SDK joins issues with commas, and each problem is a sentence.
    if (problems.length > 0) return { issues: [{ message: redactKeys(problems.join(" ")) }] };
    return { value: { ...all, ...("options" in properties && { options: rest }) } };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "screen-capture",
      validate,
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  };
}

function isObject(value: unknown): value is ToolArguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findUnknown(given: ToolArguments, properties: Readonly<Record<string, Property>>): string[] {
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) =>
      options.has(name) && "options" in properties
        ? `'${name}' is no argument of this tool. Put it into 'options'.`
        : `Unknown argument '${name.slice(0, 100)}'. Use: ${Object.keys(properties).join(", ")}.`,
    );
}

function findContradictions(given: ToolArguments, more: ToolArguments, fixed: InputRules["fixed"] = {}): string[] {
  return Object.keys(more).flatMap((name) => {
    if (Object.hasOwn(fixed, name)) return `'${name}' can't be changed in this tool. ${fixed[name]}`;
    return Object.hasOwn(given, name) ? `'${name}' is there twice: as an argument and in 'options'.` : [];
  });
}

/** Numbers and switches that are sent as text, as the API accepts them in options, too. */
function coerce(given: ToolArguments, properties: Readonly<Record<string, Property>>): ToolArguments {
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const { type } = properties[name] ?? {};
    if (type === "boolean" && (value === "true" || value === "false")) return [name, value === "true"];
    return [name, type === "integer" && typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}

function findWrongValues(
  given: ToolArguments,
  properties: Readonly<Record<string, Property>>,
  required: readonly string[] = [],
): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = given[name];
    if (value === undefined) return required.includes(name) ? `Argument '${name}' is missing.` : [];
    const problem = isOption(name) && name !== "format" ? undefined : findProblem(value, property);
    return problem === undefined ? [] : `Argument '${name}' must be ${problem}.`;
  });
}

/** What the value of a tool's own argument must be; undefined if it is. */
function findProblem(value: unknown, property: Property): string | undefined {
  const { type, minimum = 0, enum: choices } = property as { type?: string; minimum?: number; enum?: unknown[] };
  if (choices) return choices.includes(value) ? undefined : `one of ${choices.join(", ")}`;
  if (type === "boolean") return typeof value === "boolean" ? undefined : "true or false";
  if (type === "string") return typeof value === "string" ? undefined : "text";
  return Number.isSafeInteger(value) && Number(value) >= minimum ? undefined : `a whole number of at least ${minimum}`;
}

function partition(values: ToolArguments, isFirst: (name: string) => boolean): [ToolArguments, ToolArguments] {
  const entries = Object.entries(values);
  const part = (wanted: boolean) => Object.fromEntries(entries.filter(([name]) => isFirst(name) === wanted));
  return [part(true), part(false)];
}

interface ToolOptions {
  /** What the tool requests unless the caller says otherwise. */
  readonly defaults?: ToolArguments;
  /** What the tool requests always. */
  readonly fixed?: ToolArguments;
}

/** The options of a capture: of the arguments, of `options`, and of the tool. */
export function captureArguments(given: ToolArguments, { defaults, fixed }: ToolOptions = {}): Record<string, unknown> {
  const direct = Object.entries(given).filter(([name]) => isOption(name));
  return { ...defaults, ...(given["options"] as ToolArguments | undefined), ...Object.fromEntries(direct), ...fixed };
}
