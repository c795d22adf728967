// HTTP handler of the S3 client that sends the body of an upload only once the storage asks for it (`Expect: 100-continue`), so that a
// storage which refuses the upload gets no byte of it.
import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { type Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { StorageTimeoutError } from "./storage-errors.ts";

/** A signed request of the S3 client. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface StorageResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface ContinueHandlerOptions {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  /** Called before the first byte of the body is sent, with each attempt. If it rejects, none is sent. */
  readonly beforeBody: () => Promise<void>;
}

/**
 * Milliseconds to wait for `100 Continue`, as curl does: a server may ignore the expectation (RFC 9110, section 10.1.1). The client of
 * AWS waits six seconds.
 */
const CONTINUE_MS = 1_000;

/** Maximum size of a response in bytes; an S3 error has less than a kilobyte. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** A `requestHandler` for uploads. Throws `StorageTimeoutError` for a response that is no HTTP response of a storage. */
export class ContinueHandler {
  readonly metadata = { handlerProtocol: "http/1.1" };
  readonly #options: ContinueHandlerOptions;

  constructor(options: ContinueHandlerOptions) {
    this.#options = options;
  }

  async handle(
    request: SignedRequest,
    { abortSignal: signal }: { readonly abortSignal?: AbortSignal } = {},
  ): Promise<{ readonly response: StorageResponse }> {
    const answer = await this.#exchange(request, { expectsContinue: true, signal });
    // A server that doesn't support the expectation: the client repeats the request without it (RFC 9110, section 15.5.18).
    const isUnsupported = answer.statusCode === 417 && !answer.isBodySent;
    return { response: isUnsupported ? await this.#exchange(request, { expectsContinue: false, signal }) : answer };
  }

  destroy(): void {
    this.#options.httpAgent.destroy();
    this.#options.httpsAgent.destroy();
  }

  async #exchange(
    { protocol, hostname, port, method, path, query, headers, body }: SignedRequest,
    { expectsContinue, signal }: { readonly expectsContinue: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<StorageResponse & { readonly isBodySent: boolean }> {
    signal?.throwIfAborted();
    const isSecure = protocol === "https:";
    const options = {
      agent: isSecure ? this.#options.httpsAgent : this.#options.httpAgent,
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      method,
      path: `${path}?${new URLSearchParams(query)}`,
      headers: { ...headers, ...(expectsContinue && { Expect: "100-continue" }) },
      signal,
    };
    const request = isSecure ? httpsRequest(options) : httpRequest(options);
    try {
      const responding = responseTo(request);
      const refusal = await Promise.race([responding, expectsContinue ? continued(request) : connected(request)]);
      if (!refusal) {
        await this.#options.beforeBody();
        request.end(body);
      }
      return { ...(await readResponse(refusal ?? (await responding))), isBodySent: !refusal };
    } finally {
      request.destroy(); // the connection still owes the body of a request that was refused
    }
  }
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on("response", resolve).on("error", reject);
  promise.catch(() => undefined); // awaited again once the body is sent
  return promise;
}

/** Resolves when the storage asks for the body, or has not responded to the headers in time. */
function continued(request: ClientRequest): Promise<undefined> {
  return new Promise((resolve) => {
    request.once("continue", () => resolve(undefined));
    request.once("socket", () => {
      const timer = setTimeout(() => resolve(undefined), CONTINUE_MS);
      request.once("close", () => clearTimeout(timer));
    });
  });
}

/** Resolves when the request has its connection, which an agent that dials by itself hands over once it is established. */
function connected(request: ClientRequest): Promise<undefined> {
  return new Promise((resolve) => request.once("socket", () => resolve(undefined)));
}

async function readResponse(response: IncomingMessage): Promise<StorageResponse> {
  const { statusCode = 0, headers } = response;
  // To the client every status below 300 is a success.
  if (statusCode < 200) throw new StorageTimeoutError("the storage switched protocols");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new StorageTimeoutError("the response of the storage is too long");
    chunks.push(chunk);
  }
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { statusCode, headers: Object.fromEntries(flat), body: Readable.from(chunks) };
}
