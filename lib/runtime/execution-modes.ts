// How middy hands an answer to Lambda: in one piece, or streamed.
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { CompleteAnswer } from "./answer.ts";
import { leaveCondemned } from "./condemned.ts";

type RunRequest = (request: unknown, ...stack: unknown[]) => Promise<CompleteAnswer>;
interface Core {
  readonly middyRequest: (event: unknown, context: unknown) => unknown;
  readonly runRequest: RunRequest;
}

/** Runs the stack of one invocation. */
function runner({ middyRequest, runRequest }: Core, stack: unknown[]) {
  return (event: APIGatewayProxyEvent, context: Context) => runRequest(middyRequest(event, context), ...stack);
}

/** The answer as API Gateway's proxy integration expects it; bytes travel in base64. */
export function executionModeBuffered(core: Core, ...stack: unknown[]): unknown {
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
 * Streams the answer. It is whole before its status goes out, so nothing can fail half-way but the connection.
 * Not middy's own mode: that one refuses Buffers, and when a body fails it brings the whole function down.
 */
export function executionModeStreamed(core: Core, ...stack: unknown[]): unknown {
  const run = runner(core, stack);
  return awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, raw, context: Context) => {
    const { status, headers, body, afterwards } = await run(event, context);
    const stream = awslambda.HttpResponseStream.from(raw, { statusCode: status, headers });
    try {
      await write(stream, Buffer.isBuffer(body) ? body : Buffer.from(body));
    } finally {
      await afterwards;
      leaveCondemned();
    }
  });
}

async function write(stream: Writable, body: Buffer): Promise<void> {
  stream.write(""); // sends status and headers, which an end without a write would not
  for (let offset = 0; offset < body.length; offset += CHUNK_BYTES) {
    if (!stream.write(body.subarray(offset, offset + CHUNK_BYTES))) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
}
