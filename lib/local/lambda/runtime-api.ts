// The Lambda Runtime API for one sandbox: hands it one event at a time and takes the answer.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { createServer, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { listen, stopListening } from "../loopback.ts";
import { FunctionError } from "./function-error.ts";
import { readBuffered, readError, readStreamed } from "./runtime-response.ts";

export interface Invocation {
  readonly requestId: string;
  /** The event as JSON. */
  readonly event: string;
  readonly functionArn: string;
  /** When the sandbox will be killed, in milliseconds since 1970. */
  readonly deadline: number;
}

/** Buffered answers are complete; a streamed one may still fail, by an error of its body. */
export type FunctionAnswer =
  | { readonly isStreamed: false; readonly payload: Buffer }
  | { readonly isStreamed: true; readonly payload: Readable };

export interface RuntimeApi {
  /** `host:port`, the value of AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Hands over an event; only while the sandbox asks for one. Rejects with a `FunctionError`. */
  invoke(invocation: Invocation): Promise<FunctionAnswer>;
  /** The sandbox is gone: fails the current invocation, also when its body is being streamed, and closes the port. */
  close(reason: FunctionError): Promise<void>;
}

export interface RuntimeApiEvents {
  /** The sandbox asks for an event: it has started, or has finished the last one. */
  onNext(): void;
  /** The function's module cannot be loaded. */
  onInitError(error: FunctionError): void;
}

/** The API of a sandbox that is about to be started; its port is open on loopback until `close`. */
export async function openRuntimeApi({ onNext, onInitError }: RuntimeApiEvents): Promise<RuntimeApi> {
  let waiting: ServerResponse | undefined;
  let current: { requestId: string; answer: PromiseWithResolvers<FunctionAnswer>; body?: Readable } | undefined;

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://runtime");
    const [, requestId, what] = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/.exec(pathname) ?? [];
    if (pathname === "/2018-06-01/runtime/invocation/next") {
      // Answered or not, the last invocation is over; an answer that is still being read no longer depends on the sandbox.
      current?.answer.reject(new FunctionError("Runtime.NoResponse", "The runtime gave no answer."));
      current = undefined;
      waiting = response;
      onNext();
    } else if (pathname === "/2018-06-01/runtime/init/error") {
      void readError(request)
        .then(onInitError)
        .finally(() => accept(response));
    } else if (requestId === undefined || requestId !== current?.requestId) {
      refuse(response, 400, "InvalidRequestID");
    } else if (what === "error") {
      const { answer } = current;
      void readError(request)
        .then(answer.reject)
        .finally(() => accept(response));
    } else if (request.headers["lambda-runtime-function-response-mode"] === "streaming") {
      const payload = readStreamed(request, () => accept(response));
      current.body = payload;
      current.answer.resolve({ isStreamed: true, payload });
    } else {
      const { answer } = current;
      readBuffered(request).then(
        (payload) => {
          answer.resolve({ isStreamed: false, payload });
          accept(response);
        },
        (error: FunctionError) => {
          answer.reject(error);
          refuse(response, 413, error.errorType);
        },
      );
    }
  });
  // A sandbox may be busy, or idle, for longer than any limit that makes sense for a server on a network.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  const address = await listen(server);

  return {
    address,
    invoke(invocation) {
      if (!waiting) throw new Error("The sandbox does not ask for an event.");
      const answer = Promise.withResolvers<FunctionAnswer>();
      current = { requestId: invocation.requestId, answer };
      waiting.writeHead(200, {
        "Content-Type": "application/json",
        "Lambda-Runtime-Aws-Request-Id": invocation.requestId,
        "Lambda-Runtime-Deadline-Ms": invocation.deadline,
        "Lambda-Runtime-Invoked-Function-Arn": invocation.functionArn,
      });
      waiting.end(invocation.event);
      waiting = undefined;
      return answer.promise;
    },
    async close(reason) {
      current?.answer.reject(reason);
      current?.body?.destroy(reason);
      await stopListening(server);
    },
  };
}

function accept(response: ServerResponse): void {
  response.writeHead(202, { "Content-Type": "application/json" }).end('{"status":"OK"}');
}

function refuse(response: ServerResponse, status: number, errorType: string): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ errorType }));
}
