// The Lambda Runtime API for one sandbox: sends it one event at a time and receives the response.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { createServer, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { listen, stopListening } from "../loopback.ts";
import { FunctionError } from "./function-error.ts";
import { readBuffered, readFunctionError, readStreamed } from "./runtime-response.ts";

export interface Invocation {
  readonly requestId: string;
  /** The event as JSON. */
  readonly event: string;
  readonly functionArn: string;
  /** When the invocation times out, in milliseconds since 1970. */
  readonly deadline: number;
}

/** A buffered response is complete. A streamed one can still fail, with an error of its body. */
export type FunctionResponse =
  | { readonly isStreamed: false; readonly payload: Buffer }
  | { readonly isStreamed: true; readonly payload: Readable };

export interface RuntimeApi {
  /** `host:port`, the value of AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Sends an event to the sandbox, which must be idle. Rejects with a `FunctionError`. */
  invoke(invocation: Invocation): Promise<FunctionResponse>;
  /** Fails the current invocation, including a streamed body, and closes the port. */
  close(reason: FunctionError): Promise<void>;
}

export interface RuntimeApiEvents {
  /** The runtime polls for an event: it has started, or has finished the last one. */
  onNext(): void;
  /** The function's module could not be loaded. */
  onInitError(error: FunctionError): void;
}

export interface RuntimeApiOptions extends RuntimeApiEvents {
  /** Whether streamed responses have Lambda's bandwidth. */
  readonly throttlesStreams: boolean;
}

/** Opens the Runtime API of a new sandbox on a loopback port, until `close`. */
export async function openRuntimeApi({
  onNext,
  onInitError,
  throttlesStreams,
}: RuntimeApiOptions): Promise<RuntimeApi> {
  let waiting: ServerResponse | undefined;
  let current: { requestId: string; result: PromiseWithResolvers<FunctionResponse>; body?: Readable } | undefined;

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://runtime");
    const [, requestId, kind] = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/.exec(pathname) ?? [];
    if (pathname === "/2018-06-01/runtime/invocation/next") {
      // The last invocation is over, with or without a response. Reading a response no longer depends on the sandbox.
      current?.result.reject(new FunctionError("Runtime.NoResponse", "The runtime sent no response."));
      current = undefined;
      waiting = response;
      onNext();
    } else if (pathname === "/2018-06-01/runtime/init/error") {
      void readFunctionError(request)
        .then(onInitError)
        .finally(() => accept(response));
    } else if (requestId === undefined || requestId !== current?.requestId) {
      reject(response, 400, "InvalidRequestID");
    } else if (kind === "error") {
      const { result } = current;
      void readFunctionError(request)
        .then(result.reject)
        .finally(() => accept(response));
    } else if (request.headers["lambda-runtime-function-response-mode"] === "streaming") {
      const payload = readStreamed(request, { isThrottled: throttlesStreams, onEnd: () => accept(response) });
      current.body = payload;
      current.result.resolve({ isStreamed: true, payload });
    } else {
      const { result } = current;
      readBuffered(request).then(
        (payload) => {
          result.resolve({ isStreamed: false, payload });
          accept(response);
        },
        (error: FunctionError) => {
          result.reject(error);
          reject(response, 413, error.errorType);
        },
      );
    }
  });
  // A sandbox can be busy or idle for longer than the timeouts of a network server.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  const address = await listen(server);

  return {
    address,
    invoke(invocation) {
      if (!waiting) throw new Error("The sandbox is not idle.");
      const result = Promise.withResolvers<FunctionResponse>();
      current = { requestId: invocation.requestId, result };
      waiting.writeHead(200, {
        "Content-Type": "application/json",
        "Lambda-Runtime-Aws-Request-Id": invocation.requestId,
        "Lambda-Runtime-Deadline-Ms": invocation.deadline,
        "Lambda-Runtime-Invoked-Function-Arn": invocation.functionArn,
      });
      waiting.end(invocation.event);
      waiting = undefined;
      return result.promise;
    },
    async close(reason) {
      current?.result.reject(reason);
      current?.body?.destroy(reason);
      await stopListening(server);
    },
  };
}

function accept(response: ServerResponse): void {
  response.writeHead(202, { "Content-Type": "application/json" }).end('{"status":"OK"}');
}

function reject(response: ServerResponse, status: number, errorType: string): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ errorType }));
}
