// The HTTP response of a Lambda proxy integration, from a function's buffered or streamed response.
import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Readable } from "node:stream";
import type { FunctionResponse } from "../lambda/runtime-api.ts";

/** The response of a function does not have the format of a proxy integration. Callers get 502. */
class MalformedProxyResponse extends Error {
  override readonly name = "MalformedAnswer";
}

export interface HttpResponse {
  readonly statusCode: number;
  /** One entry per header line, with names as the function wrote them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | AsyncIterable<Buffer>;
}

/**
 * Streamed: a JSON prelude with status and headers, eight NUL bytes, the body.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 * Buffered: one JSON object with status, headers and body. Throws `MalformedProxyResponse` for any other format.
 */
export async function toHttpResponse(answer: FunctionResponse, isStreamed: boolean): Promise<HttpResponse> {
  if (!isStreamed) return toBufferedResponse(answer.isStreamed ? await collect(answer.payload) : answer.payload);
  if (!answer.isStreamed) throw new MalformedProxyResponse("The route is streamed, but the function's handler is not.");
  const chunks = answer.payload.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    const { prelude, rest } = await readPrelude(chunks);
    return { ...statusAndHeaders(prelude), body: concatenate(rest, chunks) };
  } catch (error) {
    void drain(chunks);
    throw error;
  }
}

/** Reads a body to its end and discards it: a function blocks on a response that is not read. */
export async function drain(body: HttpResponse["body"]): Promise<void> {
  if (Buffer.isBuffer(body)) return;
  try {
    for await (const _ of body);
  } catch {
    // Discarded as well.
  }
}

interface Prelude {
  readonly statusCode?: unknown;
  readonly headers?: Readonly<Record<string, unknown>> | null;
  readonly multiValueHeaders?: Readonly<Record<string, readonly unknown[]>> | null;
  readonly cookies?: readonly string[];
}

interface BufferedResponse extends Prelude {
  readonly body?: unknown;
  readonly isBase64Encoded?: boolean;
}

function toBufferedResponse(payload: Buffer): HttpResponse {
  const answer = parseObject<BufferedResponse>(payload);
  if (answer.statusCode === undefined) throw new MalformedProxyResponse("The response has no statusCode.");
  const { body = "" } = answer;
  if (body !== null && typeof body !== "string") throw new MalformedProxyResponse("The body is not a string.");
  return {
    ...statusAndHeaders(answer),
    body: Buffer.from(body ?? "", answer.isBase64Encoded ? "base64" : "utf8"),
  };
}

function statusAndHeaders({ statusCode = 200, headers, multiValueHeaders, cookies = [] }: Prelude) {
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) {
    throw new MalformedProxyResponse(`${JSON.stringify(statusCode)} is not a status code.`);
  }
  const multiple = Object.entries(multiValueHeaders ?? {});
  const repeated = new Set(multiple.map(([name]) => name.toLowerCase()));
  const single = Object.entries(headers ?? {}).filter(([name]) => !repeated.has(name.toLowerCase()));
  const lines: [string, string][] = [
    ...single.map(([name, value]): [string, string] => [name, String(value)]),
    ...multiple.flatMap(([name, values]) => values.map((value): [string, string] => [name, String(value)])),
    ...cookies.map((cookie): [string, string] => ["Set-Cookie", cookie]),
  ];
  for (const [name, value] of lines) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const sent = lines.map(([name, value]) => [remapped.get(name.toLowerCase()) ?? name, value] as const);
  const hasType = sent.some(([name]) => name.toLowerCase() === "content-type");
  return { statusCode: status, headers: hasType ? sent : [...sent, ["Content-Type", "application/json"] as const] };
}

/**
 * Response headers of an integration that API Gateway sends under other names.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const remapped: ReadonlyMap<string, string> = new Map([
  ["date", "x-amzn-Remapped-Date"],
  ["server", "x-amzn-Remapped-Server"],
  ["www-authenticate", "x-amzn-Remapped-WWW-Authenticate"],
]);

const DELIMITER = Buffer.alloc(8);
const MAX_PRELUDE_BYTES = 64 * 1024; // API Gateway allows 10 KB of headers

async function readPrelude(chunks: AsyncIterator<Buffer>): Promise<{ prelude: Prelude; rest: Buffer }> {
  let head = Buffer.alloc(0);
  while (head.length <= MAX_PRELUDE_BYTES) {
    const { value, done } = await chunks.next();
    if (done) throw new MalformedProxyResponse("The streamed response ended before its body began.");
    head = Buffer.concat([head, value]);
    const end = head.indexOf(DELIMITER);
    if (end >= 0) return { prelude: parseObject(head.subarray(0, end)), rest: head.subarray(end + DELIMITER.length) };
  }
  throw new MalformedProxyResponse("The streamed response has no prelude.");
}

async function* concatenate(first: Buffer, chunks: AsyncIterableIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* chunks;
}

async function collect(payload: Readable): Promise<Buffer> {
  return Buffer.concat(await payload.toArray());
}

function parseObject<T>(json: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(json.toString("utf8"));
  } catch {
    throw new MalformedProxyResponse("The response is not JSON.");
  }
  if (typeof value !== "object" || value === null) throw new MalformedProxyResponse("The response is not an object.");
  return value as T;
}
