// `Idempotency-Key`: a name that a caller gives to a request, so that it can be sent again and is carried out once.
// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
import { ApiError } from "../errors/api-error.ts";

/** How long an answer is given again, in milliseconds. */
export const RESPONSE_RETENTION_MS = 24 * 60 * 60 * 1000;

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * The idempotency key of a request, undefined where it has none. Throws `VALIDATION_ERROR` for one that is not usable, and
 * for one of another method than POST, where it would be ignored.
 */
export function idempotencyKey({
  method,
  headers,
}: {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (method !== "POST") throw refused(`is for POST only, and would be ignored with ${method}: leave it out`);
  if (!VISIBLE_ASCII.test(key)) throw refused("must have 1 to 255 visible ASCII characters");
  return key;
}

function refused(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `The header 'Idempotency-Key' ${message}.`, {
    details: { "Idempotency-Key": [message] },
  });
}

/** True for an answer that is given again: not where the same request may fare better a moment later, or once it is paid. */
export function isKept(status: number): boolean {
  return status < 500 && ![402, 409, 429].includes(status);
}

/** Of these the answer that is given again has its own. */
const ofTheMoment = new Set(["x-response-time", "server-timing"]);

/** The headers that belong to an answer, whenever it is given. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheMoment.has(name.toLowerCase())));
}
