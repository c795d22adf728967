// Execution modes of middy: a buffered response, or a streamed one.
import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { exitTaintedSandbox } from "../../engine/browser/tainted-sandbox.ts";
import type { ApiResponse, CompleteResponse, StreamedResponse } from "./response.ts";

interface Core<A extends StreamedResponse<unknown>> {
  readonly middyRequest: (event: unknown, context: unknown) => unknown;
  readonly runRequest: (request: unknown, ...stack: unknown[]) => Promise<CompleteResponse<A>>;
}

/** Runs the middleware stack for one invocation. */
function runner<A extends StreamedResponse<unknown>>({ middyRequest, runRequest }: Core<A>, stack: unknown[]) {
  return (event: APIGatewayProxyEvent, context: Context) => runRequest(middyRequest(event, context), ...stack);
}

/** The response as API Gateway's proxy integration expects it, with bytes in base64. */
export function executionModeBuffered(core: Core<ApiResponse<unknown>>, ...stack: unknown[]): unknown {
  const run = runner(core, stack);
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const { status, headers, multiValueHeaders, body, responded, afterwards } = await run(event, context);
    responded();
    await afterwards; // Lambda sends a buffered response when the invocation ends
    const isBytes = Buffer.isBuffer(body);
    const metadata = { statusCode: status, headers, ...(multiValueHeaders && { multiValueHeaders }) };
    return { ...metadata, body: isBytes ? body.toString("base64") : body, isBase64Encoded: isBytes };
  };
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Streams the response. Unless its body is a stream, it is complete before its status is sent, so only the connection can
 * fail half-way. A body that fails fails the invocation, which aborts the response.
 * Not middy's own mode: that one refuses Buffers, and a body that fails ends the whole function.
 */
export function executionModeStreamed(core: Core<StreamedResponse<unknown>>, ...stack: unknown[]): unknown {
  const run = runner(core, stack);
  return awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, raw, context: Context) => {
    const { status, headers, multiValueHeaders, body, responded, afterwards } = await run(event, context);
    const content = typeof body === "string" ? Buffer.from(body) : body;
    const sized = content instanceof Readable ? headers : { ...contentLength(content), ...headers };
    const stream = awslambda.HttpResponseStream.from(raw, {
      statusCode: status,
      headers: sized,
      ...(multiValueHeaders && { multiValueHeaders }),
    });
    try {
      await write(stream, content instanceof Readable ? content : splitIntoChunks(content));
    } finally {
      responded();
      await afterwards;
      exitTaintedSandbox();
    }
  });
}

/** Without a length, the response would be chunked, and a client could not show its progress. */
function contentLength({ length }: Buffer): Record<string, string> {
  return length > 0 ? { "Content-Length": String(length) } : {};
}

async function write(stream: Writable, chunks: Iterable<Buffer> | Readable): Promise<void> {
  stream.write(""); // sends status and headers; an end without a write does not
  for await (const chunk of chunks) if (!stream.write(chunk)) await once(stream, "drain");
  stream.end();
  await once(stream, "finish");
}

function* splitIntoChunks(body: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < body.length; offset += CHUNK_BYTES) yield body.subarray(offset, offset + CHUNK_BYTES);
}
