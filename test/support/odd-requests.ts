// Odd requests to routes, generated from the schemas of their options: a value of a wrong kind at each place of each schema.
import type * as v from "valibot";
import { optionFacts } from "../../lib/contract/options/option.ts";
import type { Route } from "../../lib/service/http/route.ts";
import { openapiDocument } from "../../lib/service/openapi/document.ts";

/** What may be sent at any place of a JSON body, as JSON text: some of it can't be made by `JSON.stringify`. */
export const oddJson: Readonly<Record<string, string>> = {
  null: "null",
  true: "true",
  zero: "0",
  "minus zero": "-0",
  "a fraction": "0.1",
  "the largest number": "1.7976931348623157e308",
  "a number beyond all numbers": "1e999",
  "the smallest number": "5e-324",
  "a number that is not exact": "9007199254740993",
  "a negative number": "-1",
  "empty text": '""',
  "a word": '"toString"',
  "the name of the prototype": '"__proto__"',
  "text of NUL": '"\\u0000"',
  "half of a character": '"\\ud800"',
  "text of line breaks": '"a\\r\\nb: c"',
  "text of a number": '"1e308"',
  "text that is no number": '"NaN"',
  "text of an object": '"{\\"toString\\":\\"x\\"}"',
  "text of a list of objects": '"[{\\"toString\\":1},{\\"valueOf\\":2}]"',
  "text of brackets": `"${"[".repeat(10_000)}"`,
  "text of a list of 5,000 levels": `"${"[".repeat(5_000)}${"]".repeat(5_000)}"`,
  "text of objects of 5,000 levels": `"[${Array(2)
    .fill(`{\\"name\\":${"[".repeat(5_000)}${"]".repeat(5_000)}}`)
    .join()}]"`,
  "long text": `"${"a".repeat(20_000)}"`,
  "an empty object": "{}",
  "an object that can't become text": '{"toString":"x"}',
  "an object that can't become a number": '{"valueOf":1,"toString":null}',
  "an object with a method of JSON": '{"toJSON":"x","then":"y","length":2,"__proto":1}',
  "an object like a list": '{"length":4294967295,"0":1}',
  "an object of a name and a value": '{"name":{"toString":1},"value":{"toString":1},"url":{"toString":1}}',
  "a name that is sent twice": '{"name":"a","name":{"toString":1}}',
  "the prototype": '{"__proto__":{"toString":"x"}}',
  "a constructor": '{"constructor":{"prototype":{"a":1}}}',
  "an empty list": "[]",
  "a list of null": "[null]",
  "a list of lists": "[[[1],[]],[]]",
  "a list of objects that can't become text": '[{"toString":"x"},{"valueOf":1,"toString":1}]',
  "a long list": `[${"1,".repeat(3_000)}1]`,
  "a list of 90 levels": "[".repeat(90) + "]".repeat(90),
  "a list of 10,000 levels": "[".repeat(10_000) + "]".repeat(10_000),
  "an object of 10,000 levels": `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
};

/** What may be sent as a parameter of a query, or as a field of a form. */
export const oddText: readonly string[] = [
  ...["", " ", "\0", "\r\nSet-Cookie: a=b", "\ufeff", "\u2028", "\u202e", "😀".repeat(300)],
  ...["__proto__", "constructor", "toString", "null", "undefined", "true", "[]", "{}", "[object Object]"],
  ...["NaN", "Infinity", "-0", "1e308", "1e999", "0x10", "9007199254740993", "-1", "1,5", "٣"],
  ...['{"toString":"x"}', '[{"toString":"x"},{"toString":"x"}]', '{"__proto__":{"a":1}}', "[".repeat(1_000)],
];

/** Bodies that are no object of options. */
export const oddBodies: readonly string[] = [
  ...["", " ", "null", "true", "1", '"text"', "[]", "[1]", '[{"url":"https://example.com"}]', "{", "{}}", "{'a':1}"],
  ...["\ufeff{}", "{}\0", "undefined", "NaN", '{"a":1,}', '{"":{}}', "[".repeat(10_000), "{".repeat(10_000)],
  ...[oddJson["an object of 10,000 levels"] ?? "", oddJson["the prototype"] ?? "", oddJson["a constructor"] ?? ""],
  ...['{"toString":"x"}', '{"hasOwnProperty":1,"valueOf":2,"length":3,"then":{"then":1}}', '{"\\ud800":"\\udc00"}'],
];

/** Names of options that no schema has. */
const oddNames = ["", "__proto", "toString", "hasOwnProperty", "a.b", "url ", "\\ud800", "a".repeat(300)];

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

type Options = Readonly<Record<string, unknown>>;

let document: unknown;

/** The schema that a reference into the OpenAPI document leads to. */
function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  document ??= openapiDocument("");
  const steps = schema.$ref.replace("#/", "").split("/");
  return resolve(steps.reduce<unknown>((at, step) => (at as Options)[step], document) as Schema);
}

/** A schema, and those whose values it takes, too. */
function shapes(unresolved: Schema): Schema[] {
  const schema = resolve(unresolved);
  return [schema, ...[...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(shapes)];
}

/** A value that a schema allows, as far as it says. */
function sampleOf(schema: Schema): unknown {
  const [shape = {}] = shapes(schema).toReversed();
  const { type, examples, items, minItems = 1, minimum = 1, format, pattern } = shape;
  const kind = typeof type === "string" ? type : type?.[0];
  if (examples || shape.enum) return (examples ?? shape.enum)?.[0];
  if (kind === "array") return Array.from({ length: minItems }, () => sampleOf(items ?? {}));
  if (kind === "boolean") return false;
  if (kind === "integer" || kind === "number") return minimum;
  if (kind !== "string") return {};
  if (format === "email") return "a@example.com";
  return pattern === "^[0-9]{6}$" ? "123456" : "a";
}

const schemaOf = (entry: v.GenericSchema) => optionFacts(entry).jsonSchema as Schema;

const url = "https://example.com/";

/** Options with which requests to a route are valid, or lack only what no schema says. No page is captured with them. */
export function validOptions({ entries = {} }: Route): readonly Options[] {
  if ("validate" in entries) {
    const page = { url, validate: true };
    return [page, { ...page, outputs: [{ name: "a" }, { name: "b", format: "pdf" }] }];
  }
  if ("requests" in entries) {
    const outputs = [{ name: "a" }, { name: "b" }];
    return [[{ url }], [{ url, outputs }]].map((requests) => ({ requests, execute: false }));
  }
  const required = Object.entries(entries).filter(([, { type }]) => type !== "optional" && type !== "exact_optional");
  return [
    Object.fromEntries(required.map(([name, entry]) => [name, /url$/.test(name) ? url : sampleOf(schemaOf(entry))])),
  ];
}

/** Stands for the odd value until the options are JSON text. */
const MARK = "\u{f0000}";

/** A copy of a value with the mark at each place in turn where the schema knows one: itself first, then what it has within. */
function* marked(value: unknown, schema: Schema, depth = 4): Generator<unknown> {
  yield MARK;
  if (depth === 0) return;
  for (const { items, properties = {} } of shapes(schema)) {
    if (items) {
      const [first = sampleOf(items), ...rest] = Array.isArray(value) ? value : [];
      for (const changed of marked(first, items, depth - 1)) yield [changed, ...rest];
    }
    for (const [name, inner] of Object.entries(properties)) {
      const own = isObject(value) ? value : {};
      for (const changed of marked(own[name], inner, depth - 1)) yield { ...own, [name]: changed };
    }
  }
}

/** The value with the mark at every place at once, as deep as the schema leads. */
function filled(schema: Schema, depth = 4): unknown {
  for (const { items, properties } of depth > 0 ? shapes(schema) : []) {
    if (items) return [filled(items, depth - 1), filled(items, depth - 1)];
    if (properties)
      return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, filled(inner, depth - 1)]));
  }
  return MARK;
}

function isObject(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const withOdd = (options: Options, odd: string) => JSON.stringify(options).replaceAll(JSON.stringify(MARK), () => odd);

/** A change of one option, and an odd value. Its text is made when it is sent, since some of it is long. */
export interface OddPlace {
  readonly option: string;
  readonly isWrongType: boolean;
  readonly body: () => string;
}

/** Bodies with an odd value at one place each. */
export function oneOddPlace(route: Route): OddPlace[] {
  return validOptions(route).flatMap((valid) =>
    Object.entries(route.entries ?? {}).flatMap(([option, entry]) =>
      [...marked(valid[option], schemaOf(entry))].flatMap((changed) =>
        Object.values(oddJson).map((odd) => ({
          option,
          isWrongType: changed === MARK && odd === worstJson[0],
          body: () => withOdd({ ...valid, [option]: changed }, odd),
        })),
      ),
    ),
  );
}

/** Longer values would make bodies with many of them too long for any function. */
const MAX_REPEATED_CHARACTERS = 1_000;

/** Values that become a fault wherever code takes them for text or a number. */
export const worstJson: readonly string[] = ['{"toString":"x"}', '[{"toString":"x"},{"valueOf":1,"toString":1}]'];

/** Bodies with one of these values at many places: in place of all options but those that must be sent, and within each of these. */
export function manyOddPlaces(route: Route, odds: readonly string[] = Object.values(oddJson)): string[] {
  const entries = Object.entries(route.entries ?? {});
  const short = odds.filter(({ length }) => length <= MAX_REPEATED_CHARACTERS);
  return validOptions(route).flatMap((valid) => {
    const isKept = (name: string) => Object.hasOwn(valid, name) || name === "outputs";
    const changed = entries.filter(([name]) => !isKept(name));
    const changes = [
      Object.fromEntries(changed.map(([name]) => [name, MARK])),
      Object.fromEntries(changed.map(([name, entry]) => [name, filled(schemaOf(entry))])),
      ...entries.filter(([name]) => isKept(name)).map(([name, entry]) => ({ [name]: filled(schemaOf(entry)) })),
      Object.fromEntries(oddNames.map((name) => [name, MARK])),
    ];
    return short.flatMap((odd) => changes.map((change) => withOdd({ ...valid, ...change }, odd)));
  });
}

type Query = Readonly<Record<string, readonly string[]>>;

const asText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Queries and forms with an odd text for one option, by its name and by names that make lists, or for all options. */
export function oddQueries(route: Route): Query[] {
  const names = Object.keys(route.entries ?? {});
  return validOptions(route).flatMap((options) => {
    const valid = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, [asText(value)]]));
    const others = names.filter((name) => !Object.hasOwn(valid, name));
    const single = names.flatMap((name) => [name, `${name}[]`, `${name}[toString]`]);
    return oddText.flatMap((text) => [
      { ...valid, ...Object.fromEntries(others.map((name) => [name, [text]])) },
      ...single.map((name) => ({ ...valid, [name]: name.endsWith("[]") ? [text, text] : [text] })),
    ]);
  });
}
