// The `Idempotency-Key` header: identifies a request, so that it can be sent again and runs once.
// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
import { ApiError } from "../../contract/errors/api-error.ts";
import { between } from "../../contract/options/wording.ts";

const MAX_KEY_CHARACTERS = 255;

/** What a key must have. */
export const keyRule = between(1, MAX_KEY_CHARACTERS, "visible ASCII characters");

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * The idempotency key of a request; undefined when it has none. Throws `VALIDATION_ERROR` when it is not well-formed, or when
 * the method is not POST, since it would be ignored.
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
  if (method !== "POST") throw invalidKey(`is for POST only, and would be ignored with ${method}: leave it out`);
  if (key.length > MAX_KEY_CHARACTERS || !VISIBLE_ASCII.test(key)) throw invalidKey(`must have ${keyRule}`);
  return key;
}

function invalidKey(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `The header 'Idempotency-Key' ${message}.`, {
    details: { "Idempotency-Key": [message] },
  });
}

/** True when a response with this status is replayed. It is not when the same request may succeed later, or once it is paid for. */
export function isReplayable(status: number): boolean {
  return status < 500 && ![402, 409, 429].includes(status);
}

/** A replayed response has its own. */
const timingHeaders = new Set(["x-response-time", "server-timing"]);

/** The headers of a response that are replayed with it. */
export function replayableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !timingHeaders.has(name.toLowerCase())));
}
