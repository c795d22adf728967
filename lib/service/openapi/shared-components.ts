// Moves what operations share into `components` of the OpenAPI document: responses and parameters that appear more than once.
import { STATUS_CODES } from "node:http";
import type { JsonSchema } from "../../contract/options/option.ts";

/** Operations by method, and `parameters` of all of them. */
type PathItem = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, PathItem>>;

interface Operation {
  readonly tags: readonly [string, ...string[]];
  readonly parameters?: readonly JsonSchema[];
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** The paths with references to the components, and the components by name. */
interface Shared {
  readonly paths: Paths;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
}

/** Replaces responses and parameters that appear more than once by references to components. */
export function shareComponents(paths: Paths): Shared {
  const items = Object.values(paths).map((item) => ({ item, operations: Object.values(item).filter(isOperation) }));
  const parameters = createComponents(
    "parameters",
    items.flatMap(({ item, operations }) => [
      ...parameterUses(item, operations[0]?.tags[0] ?? ""),
      ...operations.flatMap((operation) => parameterUses(operation, operation.tags[0])),
    ]),
  );
  const responses = createComponents(
    "responses",
    items.flatMap(({ operations }) => operations.flatMap(responseUses)),
  );
  const withReferences = (part: { readonly parameters?: readonly JsonSchema[] }) =>
    part.parameters ? { ...part, parameters: part.parameters.map(parameters.reference) } : part;
  const shareOperation = (operation: Operation) => ({
    ...withReferences(operation),
    responses: mapValues(operation.responses, responses.reference),
  });
  return {
    paths: mapValues(paths, (item) =>
      withReferences(mapValues(item, (part) => (isOperation(part) ? shareOperation(part) : part))),
    ),
    responses: responses.components,
    parameters: parameters.components,
  };
}

function isOperation(part: unknown): part is Operation {
  return typeof part === "object" && part !== null && "responses" in part;
}

/** A value in the document, the name that its component would have, and the tag of its operation. */
interface Use {
  readonly value: JsonSchema;
  readonly name: string;
  readonly tag: string;
}

function parameterUses({ parameters = [] }: { readonly parameters?: readonly JsonSchema[] }, tag: string): Use[] {
  return parameters.map((value) => ({ value, name: pascalCase(String(value["name"])), tag }));
}

function responseUses({ responses, tags: [tag] }: Operation): Use[] {
  return Object.entries(responses).map(([status, value]) => ({
    value,
    name: pascalCase(STATUS_CODES[status] ?? ""),
    tag,
  }));
}

/** The components of one kind. Of several with one name, the most frequent one has it, and the others begin with a tag. */
function createComponents(kind: "responses" | "parameters", uses: readonly Use[]) {
  const shared = [...Map.groupBy(uses, ({ value }) => JSON.stringify(value)).values()]
    .filter(({ length }) => length > 1)
    .toSorted((a, b) => b.length - a.length);
  const components = new Map<string, JsonSchema>();
  const references = new Map<string, JsonSchema>();
  for (const [first] of shared) {
    if (!first) continue;
    const name = components.has(first.name) ? `${first.tag}${first.name}` : first.name;
    if (components.has(name)) throw new Error(`Two ${kind} of the OpenAPI document would be the component '${name}'.`);
    components.set(name, first.value);
    references.set(JSON.stringify(first.value), { $ref: `#/components/${kind}/${name}` });
  }
  return {
    components: Object.fromEntries(components),
    reference: (value: JsonSchema): JsonSchema => references.get(JSON.stringify(value)) ?? value,
  };
}

/** `Not Found` and `If-None-Match` become `NotFound` and `IfNoneMatch`. */
function pascalCase(name: string): string {
  const words = name.split(/[\W_]+/);
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
