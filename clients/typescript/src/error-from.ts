// Creates the error of a response, or of an asynchronous capture, as an instance of the class of its code.
import { ApiError, ConnectionError, type ScreenCaptureError } from "./api-error.ts";
import { errorClasses } from "./generated/error-classes.ts";
import type { ErrorBody } from "./generated/types.ts";

/** The error that a body of the service describes. A code that this version doesn't know becomes an `ApiError`. */
export function errorFromBody(body: ErrorBody, facts?: ConstructorParameters<typeof ApiError>[1]): ApiError {
  const ErrorClass = errorClasses[body.code] ?? ApiError;
  return new ErrorClass(body, facts);
}

/** The error of a response with status 400 or above. */
export function errorFromResponse(response: Response, text: string): ScreenCaptureError {
  const { status, headers } = response;
  const body = parseErrorBody(text);
  if (body) return errorFromBody(body, { status, retryAfterS: retryAfterSeconds(headers) });
  const message = `Got status ${status} without an error of the service. Check the base URL, and proxies in front of it.`;
  return new ConnectionError(message, { retryable: status >= 502 && status <= 504 });
}

/** The seconds of `Retry-After`; undefined without the header. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : seconds;
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === "string" && typeof body.code === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}
