// The operations on API keys, as OpenAPI shows them.
import type { ErrorCode } from "../../errors/api-error.ts";
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { idempotencyKeyParameter, withIdempotencyKey } from "../openapi/idempotency-parameter.ts";
import { json } from "../openapi/other-operations.ts";

const tags = ["Keys"];

const schema = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const body = (name: string): JsonSchema => ({
  required: true,
  content: {
    "application/json": { schema: schema(name) },
    "application/x-www-form-urlencoded": { schema: schema(name) },
  },
});

/** Every operation can be refused because of the caller's key, or because it takes no such option. */
const errors = (...codes: readonly ErrorCode[]) =>
  errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", ...codes);

/** Errors of a request whose body is read. */
const ofBodies = ["BAD_REQUEST", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;

/** Of the paths of one key. */
export const keyParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The key's `id`.", schema: { type: "integer" } },
];

const idempotencyKey = idempotencyKeyParameter(
  "The secrets of the answer are stored encrypted under the API key of the request and this name: with another API key, " +
    "or once that API key was rotated itself, the answer is 409 or 401.",
);

export const listKeys = (): JsonSchema => ({
  operationId: "listKeys",
  tags,
  summary: "List the API keys of the account, oldest first",
  description: "Keys that are revoked or have expired are listed as well.",
  responses: { "200": json("All keys of the account.", schema("Keys")), ...errors() },
});

export const createKey = (): JsonSchema => ({
  operationId: "createKey",
  tags,
  summary: "Make an API key",
  description:
    "The answer, and the same one repeated for an `Idempotency-Key`, alone has the key and its signing secret. An account has at most 49 keys that are not " +
    "revoked.",
  parameters: [idempotencyKey],
  requestBody: body("NewKey"),
  responses: {
    "201": withIdempotencyKey(json("The new key.", schema("IssuedKey"))),
    ...errors("CONFLICT", ...ofBodies),
  },
});

export const getKey = (): JsonSchema => ({
  operationId: "getKey",
  tags,
  summary: "See an API key",
  responses: { "200": json("The key.", schema("Key")), ...errors("NOT_FOUND") },
});

export const changeKey = (): JsonSchema => ({
  operationId: "changeKey",
  tags,
  summary: "Change what an API key is called, what it may do, or when it expires",
  description:
    "What is not sent stays as it is. A key that is revoked cannot be changed. A scope can be added only by a key that has " +
    "it.",
  requestBody: body("KeyChanges"),
  responses: { "200": json("The key as it is now.", schema("Key")), ...errors("NOT_FOUND", "CONFLICT", ...ofBodies) },
});

export const revokeKey = (): JsonSchema => ({
  operationId: "revokeKey",
  tags,
  summary: "Revoke an API key, at once and for good",
  description: "The key stays in the list. Revoking it again changes nothing.",
  responses: { "200": json("The key as it is now.", schema("Key")), ...errors("NOT_FOUND", ...ofBodies) },
});

export const rotateKey = (): JsonSchema => ({
  operationId: "rotateKey",
  tags,
  summary: "Give an API key a new text and a new signing secret",
  description:
    "The old text stops working at once; everything else of the key stays. For 24 hours, webhooks are signed with the " +
    "old signing secret as well. The answer, and the same one repeated for an `Idempotency-Key`, alone has the new secrets. " +
    "A key is rotated only by one that has all of its scopes.",
  parameters: [idempotencyKey],
  responses: {
    "200": withIdempotencyKey(json("The key with its new secrets.", schema("IssuedKey"))),
    ...errors("NOT_FOUND", "CONFLICT", ...ofBodies),
  },
});
