// What API Gateway itself answers, without asking a function: in the same JSON shape as every other error of the API.
import { type GatewayResponseOptions, ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import type { ErrorCode } from "../errors/error-kinds.ts";

/** Makes the API's own refusals readable for programs and, by the CORS header, for pages in a browser. */
export function addGatewayResponses(api: RestApi): void {
  for (const [id, response] of Object.entries(responses)) api.addGatewayResponse(id, response);
}

const responses: Record<string, GatewayResponseOptions> = {
  Default4xx: {
    type: ResponseType.DEFAULT_4XX,
    ...body({ error: "$context.error.messageString", code: "BAD_REQUEST", retryable: false }),
  },
  Default5xx: {
    type: ResponseType.DEFAULT_5XX,
    ...body({ error: sentence("The service failed. Try again."), code: "INTERNAL_ERROR", retryable: true }),
  },
  // The stage's throttling, which counts all callers together; the limit of an account is kept in code.
  Throttled: {
    type: ResponseType.THROTTLED,
    ...body(
      { error: sentence("The service has too many requests. Wait a moment."), code: "RATE_LIMITED", retryable: true },
      { "Retry-After": "1" },
    ),
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
  // Only when a function did not even manage to say that it was out of time.
  IntegrationTimeout: {
    type: ResponseType.INTEGRATION_TIMEOUT,
    ...body({ error: sentence("The service took too long. Try again."), code: "CAPTURE_TIMEOUT", retryable: true }),
  },
  // API Gateway's words for a path it does not know, were there one that no resource catches.
  UnknownPath: {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: "404",
    ...body({ error: sentence("There is nothing at this path."), code: "NOT_FOUND", retryable: false }),
  },
};

/** `error` is JSON as it stands: a quoted sentence, or a variable that API Gateway replaces by one. */
interface GatewayError {
  readonly error: string;
  readonly code: ErrorCode;
  readonly retryable: boolean;
}

function body(
  { error, code, retryable }: GatewayError,
  headers: Record<string, string> = {},
): Pick<GatewayResponseOptions, "templates" | "responseHeaders"> {
  return {
    // No function has numbered the request. API Gateway's own id is a UUID; the access log has it.
    templates: {
      "application/json": `{"error":${error},"code":"${code}","request_id":"$context.requestId","retryable":${retryable}}`,
    },
    responseHeaders: Object.fromEntries(
      Object.entries({
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "*",
        "Cache-Control": "no-store",
        "Content-Security-Policy": "sandbox",
        "X-Content-Type-Options": "nosniff",
        ...headers,
      }).map(([name, value]) => [name, `'${value}'`]),
    ),
  };
}

function sentence(text: string): string {
  return JSON.stringify(text);
}
