// Reads what the runtime posts to the Runtime API: a buffered or streamed response, or an error.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { FunctionError } from "./function-error.ts";

/** Lambda's limit of a buffered response: 6 MB, plus the envelope. */
const MAX_BUFFERED_BYTES = 6 * 1024 * 1024 + 100;
/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
const MAX_STREAMED_BYTES = 200 * 1024 * 1024;
/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html#config-rs-bandwidth */
const UNTHROTTLED_BYTES = 6_000_000;
const BYTES_PER_SECOND = 2_000_000;

/** Rejects with a `FunctionError` when the response is too large or the connection closes early. */
export async function readBuffered(request: IncomingMessage): Promise<Buffer> {
  const payload = Buffer.concat(await request.toArray().catch(throwConnectionClosed));
  if (payload.length <= MAX_BUFFERED_BYTES) return payload;
  const message = `Response payload size (${payload.length} bytes) exceeded maximum allowed payload size.`;
  throw new FunctionError("Function.ResponseSizeTooLarge", message);
}

export interface StreamOptions {
  /** Whether the body has Lambda's bandwidth. */
  readonly isThrottled: boolean;
  /** Called at the end of the body. */
  onEnd(): void;
}

/** The body fails with a `FunctionError` when the function does, or beyond 200 MB. */
export function readStreamed(request: IncomingMessage, options: StreamOptions): Readable {
  const payload = Readable.from(readChunks(request, options), { objectMode: false });
  payload.on("error", () => {}); // readers of the stream get the error, too
  return payload;
}

/** A function that fails during streaming reports the error in trailers, after a body that looks complete. */
async function* readChunks(request: IncomingMessage, { isThrottled, onEnd }: StreamOptions): AsyncGenerator<Buffer> {
  const startedAt = performance.now();
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > MAX_STREAMED_BYTES) {
        throw new FunctionError("Function.ResponseSizeTooLarge", "A streamed response is limited to 200 MB.");
      }
      yield chunk;
      const dueMs = ((bytes - UNTHROTTLED_BYTES) / BYTES_PER_SECOND) * 1000 + startedAt - performance.now();
      if (isThrottled && dueMs > 0) await setTimeout(dueMs);
    }
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    throwConnectionClosed(error);
  }
  onEnd();
  const errorType = request.trailers["lambda-runtime-function-error-type"];
  if (errorType === undefined) return;
  const body = Buffer.from(request.trailers["lambda-runtime-function-error-body"] ?? "", "base64");
  throw toFunctionError(body, errorType);
}

/** Never rejects. */
export async function readFunctionError(request: IncomingMessage): Promise<FunctionError> {
  const errorType = String(request.headers["lambda-runtime-function-error-type"] ?? "Runtime.Unknown");
  try {
    return toFunctionError(Buffer.concat(await request.toArray()), errorType);
  } catch (error) {
    return new FunctionError(errorType, String(error));
  }
}

function toFunctionError(json: Buffer, errorType: string): FunctionError {
  try {
    const error = JSON.parse(json.toString()) as { errorType?: string; errorMessage?: string };
    return new FunctionError(error.errorType ?? errorType, error.errorMessage ?? "");
  } catch {
    return new FunctionError(errorType, json.toString());
  }
}

function throwConnectionClosed(cause: unknown): never {
  throw new FunctionError("Runtime.ExitError", `The runtime closed the connection during its response: ${cause}`);
}
