// Converts the JSON Schemas of the OpenAPI document to `TypedDict` classes and aliases of Python 3.9, for the Python client.
import type { JsonSchema } from "../../../contract/options/option.ts";
import { pascalCase } from "./pascal-case.ts";
import { pythonText } from "./python-text.ts";
import type { Schema } from "./typescript-types.ts";

/** Properties of this API that are keywords of Python, which a class can't have as names of its fields. */
const keywords = ["async", "from", "class", "global", "import", "in", "is", "not", "or", "pass"];

/**
 * The declarations of schemas by their names. An object becomes a `TypedDict`, also one within another; its name is that of the other
 * with the name of the property. All else becomes an alias, at the end, because Python reads an alias when it loads the module.
 */
export function pythonDeclarations(schemas: Readonly<Record<string, JsonSchema>>): string {
  const classes: string[] = [];
  const aliases: string[] = [];
  for (const [name, schema] of Object.entries(schemas as Readonly<Record<string, Schema>>)) {
    if (schema.properties) declareClass(name, schema);
    else aliases.push(`${name} = ${toType(schema, name)}\n${docstring(schema.description, "")}`);
  }
  return [...classes, ...aliases].join("\n\n");

  /** A class takes its required fields, and those that are keywords, from bases: `NotRequired` came with Python 3.11. */
  function declareClass(name: string, { description, properties = {}, required = [] }: Schema): void {
    const fields = Object.entries(properties).map(([field, schema]) => ({
      field,
      schema,
      type: toType(schema, name + pascalCase(field)),
      isRequired: required.includes(field),
      isKeyword: keywords.includes(field),
    }));
    const plain = fields.filter(({ isKeyword }) => !isKeyword);
    const [needed, optional] = [plain.filter((each) => each.isRequired), plain.filter((each) => !each.isRequired)];
    const bases: string[] = [];
    for (const isRequired of [true, false]) {
      const named = fields.filter((each) => each.isKeyword && each.isRequired === isRequired);
      if (named.length === 0) continue;
      const base = `_${name}${isRequired ? "Required" : ""}Keywords`;
      const entries = named.map(({ field, type }) => `"${field}": ${quoted(type)}`).join(", ");
      classes.push(`${base} = TypedDict("${base}", {${entries}}${isRequired ? "" : ", total=False"})\n`);
      bases.push(base);
    }
    if (needed.length > 0 && optional.length > 0) {
      classes.push(`class _${name}Required(${["TypedDict", ...bases].at(-1)}):\n${body(needed)}`);
      classes.push(`class ${name}(_${name}Required, total=False):\n${head(description)}${body(optional)}`);
      return;
    }
    const heads = [...(bases.length > 0 ? bases : ["TypedDict"]), ...(needed.length > 0 ? [] : ["total=False"])];
    classes.push(`class ${name}(${heads.join(", ")}):\n${head(description)}${body(plain)}`);
  }

  function head(description: string | undefined): string {
    return description === undefined ? "" : `${docstring(description, "    ")}\n`;
  }

  function body(fields: readonly { readonly field: string; readonly type: string; readonly schema: Schema }[]): string {
    return fields
      .map(({ field, type, schema }) => `    ${field}: ${type}\n${docstring(schema.description, "    ")}`)
      .join("");
  }

  /** `name` is that of a class for an object without one. */
  function toType(schema: Schema, name: string): string {
    const { $ref, type, oneOf, anyOf, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return $ref.replace("#/components/schemas/", "");
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const alternatives = oneOf ?? anyOf;
    if (alternatives) {
      const isAmbiguous = alternatives.filter((each) => each.properties).length > 1;
      return union(alternatives.map((each, index) => toType(each, isAmbiguous ? `${name}${index + 1}` : name)));
    }
    if (typeof type === "object") return union(type.map((each) => toType({ ...schema, type: each }, name)));
    if (properties) {
      const free = name in schemas ? `${name}Data` : name;
      declareClass(free, schema);
      return free;
    }
    if (type === "object") {
      return `Dict[str, ${typeof additionalProperties === "object" ? toType(additionalProperties, name) : "Any"}]`;
    }
    if (type === "array") return `List[${toType(items ?? {}, singular(name))}]`;
    return simpleTypes[type ?? ""] ?? "Any";
  }
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const others = distinct.filter((each) => each !== "None");
  const [first = "None"] = others;
  const joined = others.length > 1 ? `Union[${others.join(", ")}]` : first;
  return others.length < distinct.length && others.length > 0 ? `Optional[${joined}]` : joined;
}

/** A type in the functional form of `TypedDict`, which Python evaluates when it loads the module. */
const quoted = (type: string): string => JSON.stringify(type);

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** The name of an item of a list: `Steps` has a `Step`. */
function singular(name: string): string {
  return name.endsWith("Series") ? name : name.replace(/ies$/, "y").replace(/s$/, "");
}

/** The text below a class, a field, or an alias, where editors look for it; nothing without a description. */
function docstring(description: string | undefined, margin: string): string {
  if (description === undefined) return "";
  return `${pythonText(description).replaceAll(/^(?=.)/gm, margin)}\n`;
}
