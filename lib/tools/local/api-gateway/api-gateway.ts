// An HTTP server in place of API Gateway: matches the route, builds the proxy event, sends the function's response.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { redactKeys } from "../../../service/keys/api-key.ts";
import type { FunctionResponse } from "../lambda/runtime-api.ts";
import { listenAt, stopListening } from "../loopback.ts";
import type { ApiDefinition, ObjectIntegration } from "./api-definition.ts";
import {
  createGatewayResponse,
  type GatewayError,
  MAX_GATEWAY_HEADER_BYTES,
  startingResponse,
} from "./gateway-response.ts";
import { respondToMalformedRequests } from "./malformed-request.ts";
import { objectResponse } from "./object-response.ts";
import { proxyEvent, splitUrl } from "./proxy-event.ts";
import { drain, type HttpResponse, toHttpResponse } from "./proxy-response.ts";
import { matchRoute } from "./route-match.ts";
import { sendResponse } from "./send-response.ts";

export interface ApiGatewayOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Rejects with a `FunctionError`. */
  invoke(functionArn: string, event: string): Promise<FunctionResponse>;
  /** Awaited before a request counts as received: its function may still have to be bundled. */
  whenBundled?(functionArn: string): Promise<void>;
  /** Reads an object of S3 with a role: resolves to the response of S3, which refuses with 403. */
  readObject(roleArn: string, object: Pick<ObjectIntegration, "httpMethod" | "bucket" | "key">): Promise<Response>;
  /** Called for each sent response, and with the cause of a 5xx. Query strings and API keys are left out. */
  onLog(line: string): void;
}

export interface ApiGateway {
  readonly port: number;
  /** Replaces the routes from the next request on. Before the first call, every request is answered by 503. */
  use(api: ApiDefinition): void;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Throws `LocalServiceError` when the address is in use. */
export async function openApiGateway(options: ApiGatewayOptions): Promise<ApiGateway> {
  const { host, port, onLog } = options;
  let api: ApiDefinition | undefined;
  // Node.js itself would answer a request without Host, with an empty body.
  const server = createServer({
    maxHeaderSize: MAX_GATEWAY_HEADER_BYTES + 1,
    requireHostHeader: false,
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });
  const respondWith = (
    request: IncomingMessage,
    response: ServerResponse,
    work: (requestId: string) => Promise<HttpResponse>,
  ) => {
    const requestId = randomUUID();
    response.setHeader("x-amzn-RequestId", requestId);
    logWhenSent(request, response, onLog);
    work(requestId)
      .catch((error): HttpResponse => {
        if (!(error instanceof GatewayRejection)) onLog(`${requestId} ${error}`);
        const type = error instanceof GatewayRejection ? error.type : "DEFAULT_5XX";
        return createGatewayResponse(type, api?.gatewayResponses ?? new Map(), requestId);
      })
      .then((answer) => sendResponse(answer, request, response))
      .catch((error) => {
        response.destroy();
        onLog(`${requestId} ${error}`);
      });
  };
  server.on("request", (request, response) =>
    respondWith(request, response, async (requestId) =>
      api ? handleRequest(request, api, requestId, options) : startingResponse(requestId),
    ),
  );
  server.on("checkExpectation", (request, response) =>
    respondWith(request, response, () => Promise.reject(new GatewayRejection("EXPECTATION_FAILED"))),
  );
  respondToMalformedRequests(server, (error, requestId) =>
    createGatewayResponse(error, api?.gatewayResponses ?? new Map(), requestId),
  );
  const listeningPort = await listenAt(server, host, port);
  return {
    port: listeningPort,
    use: (next) => {
      api = next;
    },
    close: () => stopListening(server),
  };
}

/** API Gateway rejects the request itself. */
class GatewayRejection extends Error {
  readonly type: GatewayError;

  constructor(type: GatewayError) {
    super(type);
    this.type = type;
  }
}

async function handleRequest(
  request: IncomingMessage,
  api: ApiDefinition,
  requestId: string,
  {
    invoke,
    readObject,
    whenBundled = async () => undefined,
  }: Pick<ApiGatewayOptions, "invoke" | "readObject" | "whenBundled">,
): Promise<HttpResponse> {
  const { method: httpMethod = "GET", rawHeaders, socket } = request;
  if (request.headers.host === undefined && request.httpVersion === "1.1") throw new GatewayRejection("BAD_REQUEST");
  const url = toOriginForm(request);
  if (/%(?![0-9a-f]{2})/i.test(url.slice(splitUrl(url).pathname.length)))
    throw new GatewayRejection("BAD_REQUEST_PARAMETERS");
  const match = matchRoute(api.methods, httpMethod, splitUrl(url).pathname);
  if (!match) throw new GatewayRejection("MISSING_AUTHENTICATION_TOKEN");

  const body = await readBody(request);
  const sourceIp = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const received = { httpMethod, url, rawHeaders, body, sourceIp, localPort: socket.localPort ?? 0 };
  const { method } = match;
  if ("object" in method) {
    const { object, timeoutMs } = method;
    return withTimeout(timeoutMs, async () =>
      objectResponse(object, await readObject(object.roleArn, object), requestId),
    );
  }
  await whenBundled(method.functionArn);
  const event = JSON.stringify(proxyEvent({ request: received, match, api, requestId, now: new Date() }));
  if (Buffer.byteLength(event) > MAX_EVENT_BYTES) throw new GatewayRejection("REQUEST_TOO_LARGE");

  const { functionArn, isStreamed, timeoutMs } = method;
  return withTimeout(timeoutMs, () => invoke(functionArn, event).then((answer) => toHttpResponse(answer, isStreamed)));
}

/**
 * Converts a request target in absolute form, as clients of proxies send it, to origin form. A target with another host
 * than the request matches no route. https://www.rfc-editor.org/rfc/rfc9112#name-absolute-form
 */
function toOriginForm({ url = "/", headers }: IncomingMessage): string {
  const [prefix = "", authority] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== headers.host?.toLowerCase()) return url;
  const target = url.slice(prefix.length);
  return target.startsWith("/") ? target : `/${target}`;
}

/** Longer than clients keep an idle connection: one that the server closes fails the request that is just being sent on it. */
const IDLE_CONNECTION_MS = 310_000;

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Lambda's limit of the payload of a synchronous invocation. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new GatewayRejection("REQUEST_TOO_LARGE");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** After the timeout the function continues, and its response is discarded. */
async function withTimeout(timeoutMs: number, work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new GatewayRejection("INTEGRATION_TIMEOUT"));
  }, timeoutMs);
  work().then((response) => (isLate ? drain(response.body) : resolve(response)), reject);
  return promise.finally(() => clearTimeout(timer));
}

function logWhenSent(request: IncomingMessage, response: ServerResponse, onLog: (line: string) => void): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const outcome = response.writableFinished ? response.statusCode : "aborted";
    const { pathname } = splitUrl(toOriginForm(request));
    onLog(`${request.method} ${redactKeys(pathname)} ${outcome} ${Math.round(performance.now() - startedAt)} ms`);
  });
}
