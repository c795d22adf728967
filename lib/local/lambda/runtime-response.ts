// Reads what a runtime posts to the Runtime API: a buffered or a streamed answer, or an error.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { FunctionError } from "./function-error.ts";

/** What Lambda takes as a buffered answer: 6 MB, and a little more for the envelope. */
const LARGEST_BUFFERED_BYTES = 6 * 1024 * 1024 + 100;
/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
const LARGEST_STREAMED_BYTES = 200 * 1024 * 1024;

/** Rejects with a `FunctionError` when the answer is too large or breaks off. */
export async function readBuffered(request: IncomingMessage): Promise<Buffer> {
  const payload = Buffer.concat(await request.toArray().catch(brokenOff));
  if (payload.length <= LARGEST_BUFFERED_BYTES) return payload;
  const message = `Response payload size (${payload.length} bytes) exceeded maximum allowed payload size.`;
  throw new FunctionError("Function.ResponseSizeTooLarge", message);
}

/** Fails with a `FunctionError` when the function does, or at 200 MB. `onEnd` is called when all has arrived. */
export function readStreamed(request: IncomingMessage, onEnd: () => void): Readable {
  const payload = Readable.from(chunksOf(request, onEnd), { objectMode: false });
  payload.on("error", () => {}); // whoever reads it is told as well
  return payload;
}

/** A function that fails half-way says so in the trailers, after a body that looks complete. */
async function* chunksOf(request: IncomingMessage, onEnd: () => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > LARGEST_STREAMED_BYTES) {
        throw new FunctionError("Function.ResponseSizeTooLarge", "A streamed answer ends at 200 MB.");
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    brokenOff(error);
  }
  onEnd();
  const errorType = request.trailers["lambda-runtime-function-error-type"];
  if (errorType === undefined) return;
  const body = Buffer.from(request.trailers["lambda-runtime-function-error-body"] ?? "", "base64");
  throw toFunctionError(body, errorType);
}

/** Never rejects. */
export async function readError(request: IncomingMessage): Promise<FunctionError> {
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

function brokenOff(cause: unknown): never {
  throw new FunctionError("Runtime.ExitError", `The runtime broke off its answer: ${cause}`);
}
