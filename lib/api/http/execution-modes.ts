// How middy hands an answer to Lambda: in one piece, or streamed.
import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { exitTaintedSandbox } from "../../engine/browser/tainted-sandbox.ts";
import type { ApiResponse, CompleteResponse, StreamedResponse } from "./response.ts";

interface Core<A extends StreamedResponse<unknown>> {
  readonly middyRequest: (event: unknown, context: unknown) => unknown;
  readonly runRequest: (request: unknown, ...stack: unknown[]) => Promise<CompleteResponse<A>>;
}

/** Runs the stack of one invocation. */
function runner<A extends StreamedResponse<unknown>>({ middyRequest, runRequest }: Core<A>, stack: unknown[]) {
  return (event: APIGatewayProxyEvent, context: Context) => runRequest(middyRequest(event, context), ...stack);
}

/** The answer as API Gateway's proxy integration expects it; bytes travel in base64. */
export function executionModeBuffered(core: Core<ApiResponse<unknown>>, ...stack: unknown[]): unknown {
  const run = runner(core, stack);
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const { status, headers, body, afterwards } = await run(event, context);
    await afterwards; // a buffered answer goes out when the invocation ends
    const isBytes = Buffer.isBuffer(body);
    return { statusCode: status, headers, body: isBytes ? body.toString("base64") : body, isBase64Encoded: isBytes };
  };
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Streams the answer. Unless its body is a stream itself, it is whole before its status goes out, so nothing can fail
 * half-way but the connection; a body that fails fails the invocation, which breaks off the answer.
 * Not middy's own mode: that one refuses Buffers, and when a body fails it brings the whole function down.
 */
export function executionModeStreamed(core: Core<StreamedResponse<unknown>>, ...stack: unknown[]): unknown {
  const run = runner(core, stack);
  return awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, raw, context: Context) => {
    const { status, headers, body, afterwards } = await run(event, context);
    const stream = awslambda.HttpResponseStream.from(raw, { statusCode: status, headers });
    try {
      await write(stream, body instanceof Readable ? body : chunksOf(Buffer.isBuffer(body) ? body : Buffer.from(body)));
    } finally {
      await afterwards;
      exitTaintedSandbox();
    }
  });
}

async function write(stream: Writable, chunks: Iterable<Buffer> | Readable): Promise<void> {
  stream.write(""); // sends status and headers, which an end without a write would not
  for await (const chunk of chunks) if (!stream.write(chunk)) await once(stream, "drain");
  stream.end();
  await once(stream, "finish");
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < body.length; offset += CHUNK_BYTES) yield body.subarray(offset, offset + CHUNK_BYTES);
}
