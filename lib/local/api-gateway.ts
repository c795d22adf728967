// A server that behaves as the template's REST API: finds the route, makes the event, sends what the function answers.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { redactKeys } from "../accounts/api-key.ts";
import type { ApiDefinition } from "./api-definition.ts";
import { type GatewayError, gatewayAnswer, MAX_HEAD_BYTES } from "./gateway-response.ts";
import { LocalServiceError } from "./local-service-error.ts";
import { stopListening } from "./loopback.ts";
import { drain, type HttpAnswer, httpAnswer } from "./proxy-answer.ts";
import { proxyEvent, splitUrl } from "./proxy-event.ts";
import { matchRoute } from "./route-match.ts";
import type { FunctionAnswer } from "./runtime-api.ts";
import { sendAnswer } from "./send-answer.ts";
import { answerUnreadableRequests } from "./unreadable-request.ts";

export interface ApiGatewayOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Rejects with a `FunctionError`. */
  invoke(functionArn: string, event: string): Promise<FunctionAnswer>;
  /** Told of each request when its answer has been sent, and why a caller saw a 5xx. Query strings and keys are left out. */
  onLog(line: string): void;
}

export interface ApiGateway {
  readonly port: number;
  /** Answers by these routes from the next request on. Before the first call there are none. */
  use(api: ApiDefinition): void;
  /** Breaks off all connections. */
  close(): Promise<void>;
}

/** Throws `LocalServiceError` when the address is not free. */
export async function openApiGateway({ host, port, invoke, onLog }: ApiGatewayOptions): Promise<ApiGateway> {
  let api: ApiDefinition = { id: "none", stage: "local", methods: [], gatewayResponses: new Map() };
  // Without a Host, Node itself would answer, with an empty body.
  const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES + 1, requireHostHeader: false });
  const answerWith = (
    request: IncomingMessage,
    response: ServerResponse,
    work: (requestId: string) => Promise<HttpAnswer>,
  ) => {
    const requestId = randomUUID();
    response.setHeader("x-amzn-RequestId", requestId);
    logWhenSent(request, response, onLog);
    work(requestId)
      .catch((error): HttpAnswer => {
        if (!(error instanceof Refusal)) onLog(`${requestId} ${error}`);
        const type = error instanceof Refusal ? error.type : "DEFAULT_5XX";
        return gatewayAnswer(type, api.gatewayResponses, requestId);
      })
      .then((answer) => sendAnswer(answer, request, response))
      .catch((error) => {
        response.destroy();
        onLog(`${requestId} ${error}`);
      });
  };
  server.on("request", (request, response) =>
    answerWith(request, response, (requestId) => answerRequest(request, api, requestId, invoke)),
  );
  server.on("checkExpectation", (request, response) =>
    answerWith(request, response, () => Promise.reject(new Refusal("EXPECTATION_FAILED"))),
  );
  answerUnreadableRequests(server, (error, requestId) => gatewayAnswer(error, api.gatewayResponses, requestId));
  await listenAt(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    use: (next) => {
      api = next;
    },
    close: () => stopListening(server),
  };
}

/** API Gateway itself answers. */
class Refusal extends Error {
  readonly type: GatewayError;

  constructor(type: GatewayError) {
    super(type);
    this.type = type;
  }
}

async function answerRequest(
  request: IncomingMessage,
  api: ApiDefinition,
  requestId: string,
  invoke: ApiGatewayOptions["invoke"],
): Promise<HttpAnswer> {
  const { method: httpMethod = "GET", rawHeaders, socket } = request;
  if (request.headers.host === undefined && request.httpVersion === "1.1") throw new Refusal("BAD_REQUEST");
  const url = originForm(request);
  if (/%(?![0-9a-f]{2})/i.test(url.slice(splitUrl(url).pathname.length))) throw new Refusal("BAD_REQUEST_PARAMETERS");
  const match = matchRoute(api.methods, httpMethod, splitUrl(url).pathname);
  if (!match) throw new Refusal("MISSING_AUTHENTICATION_TOKEN");

  const body = await readBody(request);
  const sourceIp = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const received = { httpMethod, url, rawHeaders, body, sourceIp, localPort: socket.localPort ?? 0 };
  const event = JSON.stringify(proxyEvent({ request: received, match, api, requestId, now: new Date() }));
  if (Buffer.byteLength(event) > LARGEST_EVENT_BYTES) throw new Refusal("REQUEST_TOO_LARGE");

  const { functionArn, isStreamed, timeoutMs } = match.method;
  return within(timeoutMs, () => invoke(functionArn, event).then((answer) => httpAnswer(answer, isStreamed)));
}

/**
 * The target without scheme and host where it has those of the request itself, as clients of proxies write it. A target
 * of another host fits no route. https://www.rfc-editor.org/rfc/rfc9112#name-absolute-form
 */
function originForm({ url = "/", headers }: IncomingMessage): string {
  const [prefix = "", authority] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== headers.host?.toLowerCase()) return url;
  const target = url.slice(prefix.length);
  return target.startsWith("/") ? target : `/${target}`;
}

const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
/** What Lambda takes. */
const LARGEST_EVENT_BYTES = 6 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY_BYTES) throw new Refusal("REQUEST_TOO_LARGE");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A function that takes longer goes on running, unheard. */
async function within(timeoutMs: number, work: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new Refusal("INTEGRATION_TIMEOUT"));
  }, timeoutMs);
  work().then((answer) => (isLate ? drain(answer.body) : resolve(answer)), reject);
  return promise.finally(() => clearTimeout(timer));
}

function logWhenSent(request: IncomingMessage, response: ServerResponse, onLog: (line: string) => void): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const outcome = response.writableFinished ? response.statusCode : "broken off";
    const { pathname } = splitUrl(originForm(request));
    onLog(`${request.method} ${redactKeys(pathname)} ${outcome} ${Math.round(performance.now() - startedAt)} ms`);
  });
}

function listenAt(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const problem = error.code === "EADDRINUSE" ? "is taken by another program; choose another port" : error.message;
      reject(new LocalServiceError(`The address ${host}:${port} cannot be used: it ${problem}.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}
