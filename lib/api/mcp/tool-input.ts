// Arguments of tools: their JSON Schema comes from the contract's options, whose values the API itself checks.
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { optionReference } from "../../options/option-reference.ts";

export type Arguments = Readonly<Record<string, unknown>>;
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

/** A schema with these properties. Its validation refuses unknown and missing names; the API checks the values of options. */
export function toolInput(
  properties: Readonly<Record<string, Property>>,
  required: readonly string[] = [],
): StandardSchemaWithJSON<Arguments, Arguments> {
  const jsonSchema = { type: "object", properties, required, additionalProperties: false };
  const validate = (value: unknown) => {
    const problems = findProblems(value ?? {}, properties, required);
    return problems.length > 0
      ? { issues: problems.map((message) => ({ message })) }
      : { value: (value ?? {}) as Arguments };
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

function findProblems(
  value: unknown,
  properties: Readonly<Record<string, Property>>,
  required: readonly string[],
): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return ["The arguments must be an object."];
  const given = value as Arguments;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const more = given["options"];
  return [
    ...unknown.map((name) =>
      options.has(name) && "options" in properties
        ? `'${name}' is no argument of this tool. Put it into 'options'.`
        : `Unknown argument '${name.slice(0, 100)}'. Use: ${Object.keys(properties).join(", ")}.`,
    ),
    ...required.filter((name) => given[name] === undefined).map((name) => `Argument '${name}' is missing.`),
    ...(more !== undefined && (typeof more !== "object" || more === null || Array.isArray(more))
      ? ["'options' must be an object of option names and values."]
      : []),
  ];
}

/** The options of a capture: those in `options`, then the arguments that are options, then those the tool sets. */
export function captureOptions(given: Arguments, fixed: Arguments): Record<string, unknown> {
  const direct = Object.entries(given).filter(([name]) => options.has(name));
  return { ...(given["options"] as Arguments | undefined), ...Object.fromEntries(direct), ...fixed };
}
