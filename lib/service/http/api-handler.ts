// Middleware of every API handler: parses the request, responds to errors as JSON and logs one line.
import middy from "@middy/core";
import jsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { ApiError, internalError } from "../../contract/errors/api-error.ts";
import { UnauthorizedError } from "../account/authenticate.ts";
import { redactKeys } from "../keys/api-key.ts";
import { logError, logInfo } from "../platform/log.ts";
import { addLogContext } from "../platform/log-context.ts";
import { emitMetrics } from "../platform/metrics.ts";
import { type ApiRequest, createApiRequest, type Origins } from "./api-request.ts";
import { compressResponse } from "./compress-response.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { decodeBody, jsonBodyError, requireReadableJson, requireUtf8Query } from "./request-body.ts";
import { complete, errorResponse, type StreamedResponse } from "./response.ts";
import { type DeadlineSeconds, streamedResponses } from "./streamed-responses.ts";

export type Handle = (request: ApiRequest) => Promise<StreamedResponse<unknown>> | StreamedResponse<unknown>;

/** A Lambda function with a streamed response, as its runtime calls it. */
export type StreamingHandler = (
  event: APIGatewayProxyEvent,
  stream: awslambda.HttpResponseStream,
  context: Context,
) => Promise<void>;

export interface HandlerOptions {
  /** The event as the handler is to see it. */
  readonly locate?: (event: APIGatewayProxyEvent) => APIGatewayProxyEvent;
  /** How long the response to a located event may take, where the function has more time. */
  readonly deadlineSeconds?: DeadlineSeconds;
  /** The origins whose pages may send the located event. By default, every one. */
  readonly originsOf?: (event: APIGatewayProxyEvent) => Origins;
  /** Whether text of the response is compressed. By default, it is. */
  readonly compresses?: (request: ApiRequest) => boolean;
}

/** The error response is sent this long before the deadline, or before Lambda ends the function: the client would get a bare 502. */
const TIME_TO_RESPOND_MS = 1_500;

interface Invocation {
  event: APIGatewayProxyEvent;
  response?: StreamedResponse<unknown>;
  error?: unknown;
  internal: { request?: ApiRequest } & Required<Pick<HandlerOptions, "compresses" | "originsOf">>;
}

/** The Lambda handler of requests to the API. Its response is streamed, and so may have 200 MB; it is compressed if it is text. */
export function apiHandler(
  handle: Handle,
  { compresses = () => true, originsOf = () => "any", ...options }: HandlerOptions = {},
): StreamingHandler {
  const run = async ({
    request,
    body,
    bodyText,
  }: APIGatewayProxyEvent & Pick<ApiRequest, "bodyText"> & { request: ApiRequest }) => {
    requireReadableJson(body);
    idempotencyKey(request); // throws for a key that the handler would ignore
    return handle({ ...request, body, bodyText });
  };
  const plugin = {
    executionMode: streamedResponses(options),
    internal: { compresses, originsOf },
    timeoutEarlyInMillis: TIME_TO_RESPOND_MS,
    timeoutEarlyResponse: () => {
      throw internalError(new Error("The request was about to exceed its deadline."));
    },
  };
  return middify(run, plugin)
    .use(createRequest)
    .use(decodeRequest)
    .use(jsonBodyParser({ disableContentTypeError: true }))
    .use(respondToErrors) as unknown as StreamingHandler;
}

interface Stack {
  use(middleware: object): Stack;
}

/** middy's types allow only its own execution modes. */
const middify = middy as unknown as (handler: unknown, plugin: object) => Stack;

/** First in, last out: creates the request with its id, and completes the response. */
const createRequest = {
  before({ event, internal }: Invocation): void {
    event.headers = withLowerCaseNames(event.headers ?? {});
    event.headers["content-type"] = trimMediaType(event.headers["content-type"]);
    internal.request = createApiRequest(event, internal.originsOf(event));
    addLogContext({ request_id: internal.request.requestId });
  },
  async after(invocation: Invocation): Promise<void> {
    await finish(invocation);
  },
};

/** Comes after `createRequest`, so that the response to its errors has the id of the request. */
const decodeRequest = {
  before({ event, internal }: Invocation): void {
    const { request } = internal;
    if (!request) return;
    requireUtf8Query(request.query);
    const body = decodeBody(event);
    Object.assign(event, { request, body, bodyText: body ?? "", isBase64Encoded: false });
  },
};

const respondToErrors = {
  async onError(invocation: Invocation): Promise<void> {
    const { request } = invocation.internal;
    if (!request) return;
    const error = asApiError(invocation.error);
    // A refusal for lack of capacity is no fault to look into; the line of its request counts it.
    if (error.blame === "us" && error.code !== "CAPACITY") logError("request failed", error);
    // API Gateway counts the status alone, and a page that is too slow must not look like a service that fails.
    if (error.status >= 500 && error.blame !== "us")
      emitMetrics({ ExcusedServerErrors: 1 }, { code: error.code, blame: error.blame });
    invocation.response = errorResponse(error, request.requestId);
    await finish(invocation, error);
  },
};

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : (jsonBodyError(error) ?? internalError(error));
}

/** Longer than those of browsers. */
const MAX_USER_AGENT_LENGTH = 300;

async function finish(invocation: Invocation, error?: ApiError): Promise<void> {
  const { request, compresses } = invocation.internal;
  if (!request || !invocation.response) return;
  const { response: answer } = invocation;
  const response = compresses(request) ? await compressResponse(answer, request) : answer;
  invocation.response = complete(response, request, performance.now());
  logInfo("request", {
    method: request.method,
    route: request.resource,
    path: redactKeys(request.path),
    user_agent: request.headers["user-agent"]?.slice(0, MAX_USER_AGENT_LENGTH),
    status: invocation.response.status,
    milliseconds: Math.round(performance.now() - request.startedAt),
    ...(error && { code: error.code, blame: error.blame }),
    ...(error instanceof UnauthorizedError && { reason: error.reason }),
  });
}

/** RFC 9110 allows white space before the semicolon of a media type; middy's parser does not. */
function trimMediaType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = type?.split(";") ?? [];
  return type && [essence.trim(), ...parameters].join(";");
}

function withLowerCaseNames(headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
