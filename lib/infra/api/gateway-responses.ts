// Gateway responses: the errors that API Gateway sends itself, in the JSON shape of every other error of the API.
import { type GatewayResponseOptions, ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { supportAdvice } from "../../contract/errors/api-error.ts";
import type { ErrorCode } from "../../contract/errors/error-kinds.ts";
import { STRICT_TRANSPORT_SECURITY } from "../../service/http/transport-security.ts";
import { type StageConfig, stageIdentity } from "../stages.ts";

/**
 * Makes API Gateway's own errors readable for programs and, with CORS headers, for pages in a browser. Those of the service name its
 * support.
 */
export function addGatewayResponses(api: RestApi, stage: Pick<StageConfig, "identity">): void {
  const { support } = stageIdentity(stage);
  for (const [id, response] of Object.entries({ ...responses, Default5xx: serviceFailed(support) }))
    api.addGatewayResponse(id, response);
}

function serviceFailed(support: string | undefined): GatewayResponseOptions {
  const advice = support === undefined ? "" : ` ${supportAdvice(support, REQUEST_ID)}`;
  const error = sentence(`The service failed. Try again.${advice}`);
  return { type: ResponseType.DEFAULT_5XX, ...body({ error, code: "INTERNAL_ERROR", retryable: true, support }) };
}

/** API Gateway's own id, a UUID, which the access log has. */
const REQUEST_ID = "$context.requestId";

const responses: Record<string, GatewayResponseOptions> = {
  Default4xx: {
    type: ResponseType.DEFAULT_4XX,
    ...body({ error: "$context.error.messageString", code: "BAD_REQUEST", retryable: false }),
  },
  // The stage's throttling, which counts all callers of a method together. Functions enforce the limit of an account.
  Throttled: {
    type: ResponseType.THROTTLED,
    ...body(
      { error: sentence("The service has too many requests. Wait a moment."), code: "RATE_LIMITED", retryable: true },
      { "Retry-After": "1" },
    ),
  },
  // AWS WAF refuses addresses of bad reputation without a response of its own.
  Filtered: {
    type: ResponseType.WAF_FILTERED,
    ...body({
      error: sentence("Requests from your address are refused, because it is known for attacks. Use another network."),
      code: "FORBIDDEN",
      retryable: false,
    }),
  },
  RequestTooLarge: {
    type: ResponseType.REQUEST_TOO_LARGE,
    ...body({
      error: sentence(
        "The request is larger than 6,291,456 bytes (6 MiB), counted as a function gets it: body, query and headers as " +
          "JSON text, in which a quote or a line break of the body takes two bytes. Send a smaller body.",
      ),
      code: "BODY_TOO_LARGE",
      retryable: false,
    }),
  },
  // Sent when a function did not report its own timeout.
  IntegrationTimeout: {
    type: ResponseType.INTEGRATION_TIMEOUT,
    ...body({ error: sentence("The service took too long. Try again."), code: "CAPTURE_TIMEOUT", retryable: true }),
  },
  // API Gateway's type for an unknown path. The fallback answers all of them, so this is never sent while it is there.
  UnknownPath: {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: "404",
    ...body({ error: sentence("There is nothing at this path."), code: "NOT_FOUND", retryable: false }),
  },
};

interface GatewayError {
  /** JSON: a quoted sentence, or a variable that API Gateway replaces with one. */
  readonly error: string;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** @default - the id of API Gateway: no function has assigned one */
  readonly requestId?: string;
  readonly support?: string | undefined;
}

/** The JSON of an error that no function sends. */
export function errorTemplate({ error, code, retryable, requestId = REQUEST_ID, support }: GatewayError): string {
  const further = support === undefined ? "" : `,"support":${JSON.stringify(support)}`;
  return `{"error":${error},"code":"${code}","request_id":"${requestId}","retryable":${retryable}${further}}`;
}

function body(
  error: GatewayError,
  headers: Record<string, string> = {},
): Pick<GatewayResponseOptions, "templates" | "responseHeaders"> {
  return {
    templates: { "application/json": errorTemplate(error) },
    responseHeaders: Object.fromEntries(
      Object.entries({
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "*",
        "Cache-Control": "no-store",
        "Content-Security-Policy": "sandbox",
        "Strict-Transport-Security": STRICT_TRANSPORT_SECURITY, // API Gateway takes HTTPS alone; over HTTP, browsers ignore it
        "X-Content-Type-Options": "nosniff",
        ...headers,
      }).map(([name, value]) => [name, `'${value}'`]),
    ),
  };
}

/** A sentence as JSON. */
export function sentence(text: string): string {
  return JSON.stringify(text);
}
