// Lambda's API on loopback, as far as `Invoke` goes, in front of the local functions.
// https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { parseInvocation } from "../iam/requests/lambda.ts";
import { listen, refuseForeignHosts, stopListening } from "../loopback.ts";
import { FunctionError } from "./function-error.ts";
import type { FunctionResponse } from "./runtime-api.ts";

export interface InvokeApi {
  /** Address without a trailing slash. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Invokes a function by its name or ARN. Rejects with a `FunctionError` where the function fails. */
type Invoke = (nameOrArn: string, event: string) => Promise<FunctionResponse>;

/** Starts the API on a free port. */
export async function startInvokeApi(invoke: Invoke): Promise<InvokeApi> {
  const server = createServer((request, response) => {
    answer(request, response, invoke).catch((error) => {
      response.writeHead(404, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ Type: "User", Message: String(error) }));
    });
  });
  refuseForeignHosts(server);
  const address = await listen(server);
  return { endpoint: `http://${address}`, stop: () => stopListening(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, invoke: Invoke): Promise<void> {
  const { method = "", url = "" } = request;
  const { functionName } = parseInvocation({ method, url });
  try {
    const { payload } = await invoke(functionName, await text(request));
    response.end(Buffer.isBuffer(payload) ? payload : await buffer(payload));
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    const { errorType, message: errorMessage } = error;
    response.setHeader("X-Amz-Function-Error", "Unhandled").end(JSON.stringify({ errorType, errorMessage }));
  }
}
