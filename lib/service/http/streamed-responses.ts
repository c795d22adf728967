// The execution mode of middy that streams responses, each within the deadline of its route.
import { once } from "node:events";
import { addAbortSignal, Readable, type Writable } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { exitTaintedSandbox } from "../../engine/browser/tainted-sandbox.ts";
import { withLogContext } from "../platform/log-context.ts";
import type { CompleteResponse } from "./response.ts";

/** How long the response to an event may take; undefined for as long as the function has. */
export type DeadlineSeconds = (event: APIGatewayProxyEvent) => number | undefined;

interface Core {
  readonly middyRequest: (event: unknown, context: unknown) => unknown;
  readonly runRequest: (request: unknown, ...stack: unknown[]) => Promise<CompleteResponse>;
}

type ExecutionMode = (core: Core, ...stack: unknown[]) => unknown;

/** Runs the middleware stack for one invocation. */
function runner({ middyRequest, runRequest }: Core, stack: unknown[]) {
  return (event: APIGatewayProxyEvent, context: Context) => runRequest(middyRequest(event, context), ...stack);
}

/** The context of an invocation that ends at its deadline: middy reads from it how long the handler may take. */
function withDeadline(context: Context, seconds = Number.POSITIVE_INFINITY): Context {
  const end = performance.now() + seconds * 1000;
  const remainingMs = () => Math.min(context.getRemainingTimeInMillis(), end - performance.now());
  return { ...context, getRemainingTimeInMillis: remainingMs };
}

const CHUNK_BYTES = 256 * 1024;

/** What is done with an event in addition to the middleware. */
export interface StreamedResponseOptions {
  /** The event as the middleware is to see it. */
  readonly locate?: (event: APIGatewayProxyEvent) => APIGatewayProxyEvent;
  readonly deadlineSeconds?: DeadlineSeconds;
}

/**
 * The execution mode that streams responses. Unless its body is a stream, a response is complete before its status is sent, so only
 * the connection can fail half-way. A body that fails, or takes longer than the deadline, fails the invocation, which aborts the
 * response. Not middy's own mode: that one refuses Buffers, and a body that fails ends the whole function.
 */
export const streamedResponses =
  ({ locate = (event) => event, deadlineSeconds = () => undefined }: StreamedResponseOptions = {}): ExecutionMode =>
  (core, ...stack) => {
    const run = runner(core, stack);
    const respond = async (received: APIGatewayProxyEvent, raw: Writable, functionContext: Context) => {
      const event = locate(received);
      const context = withDeadline(functionContext, deadlineSeconds(event));
      const { status, headers, multiValueHeaders, body, responded } = await run(event, context);
      const content = typeof body === "string" ? Buffer.from(body) : body;
      const sized = content instanceof Readable ? headers : { ...contentLength(content), ...headers };
      const prelude = { statusCode: status, headers: sized, ...(multiValueHeaders && { multiValueHeaders }) };
      try {
        const stream = awslambda.HttpResponseStream.from(raw, prelude);
        await write(stream, content instanceof Readable ? within(context, content) : splitIntoChunks(content));
      } finally {
        await responded();
        exitTaintedSandbox();
      }
    };
    return awslambda.streamifyResponse((event: APIGatewayProxyEvent, raw, context: Context) =>
      withLogContext({}, () => respond(event, raw, context)),
    );
  };

/** The body of a response, which is destroyed when no time remains. */
function within(context: Context, body: Readable): Readable {
  return addAbortSignal(AbortSignal.timeout(Math.max(0, Math.round(context.getRemainingTimeInMillis()))), body);
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
