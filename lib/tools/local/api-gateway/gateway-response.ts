// Gateway responses: the errors that API Gateway sends itself, with the template's texts or its own.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
import type { ErrorCode } from "../../../contract/errors/error-kinds.ts";
import type { GatewayResponse } from "./api-definition.ts";
import type { HttpResponse } from "./proxy-response.ts";

export type GatewayError = keyof typeof defaults;

/** The template's response for this error, otherwise its default for 4xx or 5xx, otherwise API Gateway's own. */
export function createGatewayResponse(
  error: GatewayError,
  responses: ReadonlyMap<string, GatewayResponse>,
  requestId: string,
): HttpResponse {
  const { statusCode, message } = defaults[error];
  const response = responses.get(error) ?? responses.get(statusCode < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX");
  const template = response?.template ?? '{"message":$context.error.messageString}';
  const variables: Readonly<Record<string, string>> = {
    "$context.error.messageString": JSON.stringify(message),
    "$context.error.message": message,
    "$context.error.responseType": error,
    "$context.requestId": requestId,
  };
  return {
    statusCode: response?.statusCode ?? statusCode,
    headers: Object.entries({ "Content-Type": "application/json", ...response?.headers }),
    body: Buffer.from(template.replace(/\$context(\.\w+)+/g, (name) => variables[name] ?? "")),
  };
}

/** The response while the service starts: health checks and clients must not take it for a wrong path or a wrong key. */
export function startingResponse(requestId: string): HttpResponse {
  const message = `The service is starting. Try again in ${START_RETRY_S} s.`;
  const error = { error: message, code: "CAPACITY" satisfies ErrorCode, request_id: requestId, retryable: true };
  return {
    statusCode: 503,
    headers: Object.entries({
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": String(START_RETRY_S),
    }),
    body: Buffer.from(JSON.stringify(error)),
  };
}

const START_RETRY_S = 2;

/**
 * Maximum size of the request line and all headers together.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
export const MAX_GATEWAY_HEADER_BYTES = 10_240;

/** Errors without a gateway response type of their own are sent as DEFAULT_4XX or DEFAULT_5XX. */
const defaults = {
  BAD_REQUEST: { statusCode: 400, message: "The request is not valid HTTP." },
  BAD_REQUEST_PARAMETERS: {
    statusCode: 400,
    message: "The query has a '%' that two hexadecimal digits do not follow. Write a percent sign as %25.",
  },
  REQUEST_TIMEOUT: { statusCode: 408, message: "The request took too long to arrive. Send it again." },
  EXPECTATION_FAILED: { statusCode: 417, message: "The header Expect can only be 100-continue. Leave it out." },
  HEADERS_TOO_LARGE: {
    statusCode: 431,
    message:
      `The address and the headers have more than ${MAX_GATEWAY_HEADER_BYTES.toLocaleString("en")} bytes together. ` +
      "Send the options in the body of a POST.",
  },
  MISSING_AUTHENTICATION_TOKEN: { statusCode: 403, message: "Missing Authentication Token" },
  REQUEST_TOO_LARGE: { statusCode: 413, message: "Request Too Long" },
  INTEGRATION_TIMEOUT: { statusCode: 504, message: "Endpoint request timed out" },
  /** A function failed or sent a malformed response, for which API Gateway has no type of its own. */
  DEFAULT_5XX: { statusCode: 502, message: "Internal server error" },
} as const;
