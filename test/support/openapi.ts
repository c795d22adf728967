// Reads an OpenAPI document: its operations, and validation against its schemas.
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** As much of a document as the tests look at. */
export interface OpenapiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, { readonly schema: object }>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** Every operation, with the parameters of its path among its own, and with the responses and parameters that it refers to. */
export function operationsOf({ paths, components }: OpenapiDocument): Operation[] {
  const resolve = <T>(part: T | { readonly $ref: string }, shared: Readonly<Record<string, T>>): T =>
    typeof part === "object" && part !== null && "$ref" in part
      ? (shared[part.$ref.split("/").at(-1) ?? ""] as T)
      : (part as T);
  return Object.entries(paths).flatMap(([path, { parameters = [], ...operations }]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
      parameters: [...(parameters as Parameter[]), ...(operation.parameters ?? [])].map((each) =>
        resolve(each, components.parameters),
      ),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, each]) => [status, resolve(each, components.responses)]),
      ),
    })),
  );
}

const validators = new WeakMap<OpenapiDocument, Ajv2020>();

/** A check of values against a schema, whose references lead into the document. Throws for what is no JSON Schema. */
export function schemaCheck(document: OpenapiDocument, schema: object): ValidateFunction {
  const ajv = validators.get(document) ?? validatorFor(document);
  validators.set(document, ajv);
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')));
}

/** A validator that knows the components as `document`: they are long, and checked against JSON Schema only once. */
function validatorFor({ components }: OpenapiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  ajv.addFormat("binary", true);
  ajv.addVocabulary(["components"]);
  return ajv.addSchema({ $id: "document", components });
}

/** Notifies what is wrong with a value by the schema of a name, in a line each. */
export function problemFinder(document: OpenapiDocument): (name: string, value: unknown) => string[] {
  const checks = new Map<string, ValidateFunction>();
  return (name, value) => {
    const check = checks.get(name) ?? schemaCheck(document, { $ref: `#/components/schemas/${name}` });
    checks.set(name, check);
    return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
