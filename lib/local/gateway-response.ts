// What API Gateway answers without asking a function, in its own words or in those of the template.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
import type { GatewayResponse } from "./api-definition.ts";
import type { HttpAnswer } from "./proxy-answer.ts";

export type GatewayError = keyof typeof defaults;

/** The template's response for this error, else its default for 4xx or 5xx, else API Gateway's own. */
export function gatewayAnswer(
  error: GatewayError,
  responses: ReadonlyMap<string, GatewayResponse>,
  requestId: string,
): HttpAnswer {
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

const defaults = {
  MISSING_AUTHENTICATION_TOKEN: { statusCode: 403, message: "Missing Authentication Token" },
  REQUEST_TOO_LARGE: { statusCode: 413, message: "Request Too Long" },
  INTEGRATION_TIMEOUT: { statusCode: 504, message: "Endpoint request timed out" },
  /** A function failed or answered something malformed: API Gateway has no type of its own for it. */
  DEFAULT_5XX: { statusCode: 502, message: "Internal server error" },
} as const;
