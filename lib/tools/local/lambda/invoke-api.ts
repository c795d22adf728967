// Lambda's API on loopback, `Invoke` and `InvokeWithResponseStream`, in front of the local functions.
// https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
// https://docs.aws.amazon.com/lambda/latest/api/API_InvokeWithResponseStream.html
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { parseInvocation } from "../iam/requests/lambda.ts";
import { listen, refuseForeignHosts, stopListening } from "../loopback.ts";
import { encodeEvent } from "./event-stream.ts";
import { FunctionError, InvalidInvocation } from "./function-error.ts";
import type { FunctionResponse } from "./runtime-api.ts";

export interface InvokeApi {
  /** Address without a trailing slash. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Invokes a function by its name or ARN. Rejects with a `FunctionError` where the function fails. */
type Invoke = (nameOrArn: string, event: string, tenantId: string | undefined) => Promise<FunctionResponse>;

/** Starts the API on a free port. */
export async function startInvokeApi(invoke: Invoke): Promise<InvokeApi> {
  const server = createServer((request, response) => {
    answer(request, response, invoke).catch((error) => {
      const { status, type } = error instanceof InvalidInvocation ? error : notFound;
      response.writeHead(status, { "Content-Type": "application/json", "X-Amzn-ErrorType": type });
      response.end(JSON.stringify({ Type: "User", Message: String(error) }));
    });
  });
  refuseForeignHosts(server);
  const address = await listen(server);
  return { endpoint: `http://${address}`, stop: () => stopListening(server) };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;
const requestTooLarge = { status: 413, type: "RequestTooLargeException" };
const notFound = { status: 404, type: "ResourceNotFoundException" };

async function answer(request: IncomingMessage, response: ServerResponse, invoke: Invoke): Promise<void> {
  const { method = "", url = "" } = request;
  const { functionName } = parseInvocation({ method, url });
  const event = await text(request);
  if (Buffer.byteLength(event) > MAX_EVENT_BYTES)
    throw new InvalidInvocation("The event is too long.", requestTooLarge);
  const tenantId = request.headers["x-amz-tenant-id"] as string | undefined;
  const invoking = invoke(functionName, event, tenantId);
  if (url.includes("/response-streaming-invocations")) return answerStreamed(response, invoking);
  try {
    const { payload } = await invoking;
    response.end(Buffer.isBuffer(payload) ? payload : await buffer(payload));
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    const { errorType, message: errorMessage } = error;
    response.setHeader("X-Amz-Function-Error", "Unhandled").end(JSON.stringify({ errorType, errorMessage }));
  }
}

/** Streams the response as events. The last one says how the invocation ended; a function that fails before it responds has no other. */
async function answerStreamed(response: ServerResponse, invoking: Promise<FunctionResponse>): Promise<void> {
  response.setHeader("Content-Type", "application/vnd.amazon.eventstream");
  const left = new AbortController();
  response.once("close", () => left.abort());
  const { signal } = left;
  let completion = {};
  try {
    const { payload } = await invoking;
    for await (const chunk of Buffer.isBuffer(payload) ? [payload] : payload) {
      if (signal.aborted) continue; // a function goes on when its caller has left
      if (!response.write(encodeEvent("PayloadChunk", "application/octet-stream", chunk)))
        await once(response, "drain", { signal }).catch(() => undefined);
    }
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    completion = { ErrorCode: error.errorType, ErrorDetails: error.message };
  }
  response.end(encodeEvent("InvokeComplete", "application/json", Buffer.from(JSON.stringify(completion))));
}
