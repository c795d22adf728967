// The operations of the OpenAPI document, as the API reference shows them: references resolved, errors as codes, a request of each.

import { type ErrorCode, type ErrorKind, errorKinds } from "../../contract/errors/error-kinds.ts";
import { apiPaths, openapiDocument } from "../../service/openapi/document.ts";
import { BASE_URL } from "../site-files.ts";

/** The parts of a JSON schema that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface SuccessResponse {
  readonly status: string;
  /** Markdown. */
  readonly description: string;
  /** Of its JSON; undefined for a response without one. */
  readonly schema: Schema | undefined;
}

export interface ApiOperation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string | undefined;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  /** True if it takes every option of a capture, which have a page of their own. */
  readonly takesOptions: boolean;
  /** Schema of a JSON body, except one of all options. */
  readonly body: Schema | undefined;
  readonly successes: readonly SuccessResponse[];
  readonly errors: readonly ErrorCode[];
  /** A curl command that sends such a request. */
  readonly command: string;
}

interface OpenapiResponse {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface OpenapiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, OpenapiResponse>>;
  readonly tags: readonly string[];
}

type PathItem = Readonly<Record<string, OpenapiOperation>> & { readonly parameters?: readonly Parameter[] };

const paths = apiPaths(BASE_URL) as unknown as Readonly<Record<string, PathItem>>;
const document = openapiDocument(BASE_URL) as unknown as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The schema itself, or the one that it refers to. Its own description takes precedence. */
export function resolveSchema({ $ref: reference, ...own }: Schema): Schema {
  const target = reference === undefined ? undefined : document.components.schemas[reference.split("/").at(-1) ?? ""];
  return target ? { ...resolveSchema(target), ...own } : own;
}

/** Values of parameters in samples. */
const sampleParameters: Readonly<Record<string, string>> = { id: "$ID", lifetime: "1-day", name: "$NAME" };

/** Queries of samples, by operation. */
const sampleQueries: Readonly<Record<string, string>> = {
  captureByQuery: "url=https://example.com&full_page=true",
  listCaptures: "status=failed&per_page=50",
  getUsageStatistics: "days=30",
  listAsyncCaptures: "status=queued",
  getResult: "e=$EXPIRES&s=$SIGNATURE",
};

const methods = ["get", "post", "patch", "delete"];

/** All operations in the order of the document. */
export const apiOperations: readonly ApiOperation[] = Object.entries(paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    return operation ? [readOperation(path, method.toUpperCase(), operation, item.parameters ?? [])] : [];
  }),
);

export const apiTags: readonly string[] = [...new Set(apiOperations.map(({ tag }) => tag))];

function readOperation(
  path: string,
  method: string,
  operation: OpenapiOperation,
  ofPath: readonly Parameter[],
): ApiOperation {
  const parameters = [...ofPath, ...(operation.parameters ?? [])];
  const takesQuery = parameters.length > 50;
  const body = operation.requestBody?.content["application/json"]?.schema;
  const takesBody = body?.$ref?.endsWith("/CaptureOptions") ?? false;
  const shown = takesQuery ? parameters.filter((each) => each.in !== "query") : parameters;
  const read = {
    id: operation.operationId,
    tag: operation.tags[0] ?? "",
    method,
    path,
    summary: operation.summary,
    description: operation.description,
    needsKey: operation.security?.length !== 0,
    parameters: shown,
    takesOptions: takesQuery || takesBody,
    body: takesBody || body === undefined ? undefined : resolveSchema(body),
    successes: successResponses(operation.responses),
    errors: errorCodes(operation.responses),
  };
  return { ...read, command: command(read, body && resolveSchema(body)) };
}

function successResponses(responses: OpenapiOperation["responses"]): SuccessResponse[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description = "", content = {} }]) => {
      const schema = content["application/json"]?.schema;
      return { status, description, schema: schema && jsonSchema(resolveSchema(schema)) };
    });
}

/** A capture answers with bytes or with one of several objects: the one with a link is the answer of `response_type=json`. */
function jsonSchema(schema: Schema): Schema | undefined {
  const objects = (schema.anyOf ?? [schema]).map(resolveSchema).filter(({ properties }) => properties !== undefined);
  return objects[0];
}

/** The codes whose meaning the descriptions of the error responses contain. */
function errorCodes(responses: OpenapiOperation["responses"]): ErrorCode[] {
  const kinds = Object.entries(errorKinds as Readonly<Record<ErrorCode, ErrorKind>>) as [ErrorCode, ErrorKind][];
  return kinds
    .filter(([, { status, meaning }]) => responses[String(status)]?.description?.includes(meaning))
    .map(([code]) => code);
}

function command(
  { id, method, path, needsKey }: Pick<ApiOperation, "id" | "method" | "path" | "needsKey">,
  body: Schema | undefined,
): string {
  const address = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => sampleParameters[name] ?? `$${name.toUpperCase()}`,
  );
  const query = sampleQueries[id];
  const output = id === "capture" || id === "captureByQuery" || id === "getResult" ? "page.png" : undefined;
  const isImplied = method === "GET" || (method === "POST" && body);
  return [
    `curl --fail-with-body ${isImplied ? "" : `-X ${method} `}"${BASE_URL}${address}${query === undefined ? "" : `?${query}`}"`,
    ...(needsKey ? ['-H "Authorization: Bearer $SCREEN_CAPTURE_KEY"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body.examples?.[0] ?? {})}'`] : []),
    ...(output === undefined ? [] : [`-o ${output}`]),
  ].join(" \\\n  ");
}
