// The OpenAPI operations on API keys.

import { MAX_KEYS } from "../../accounts/key-ring.ts";
import type { ErrorCode } from "../../errors/error-kinds.ts";
import type { JsonSchema } from "../../options/option.ts";
import { atMost } from "../../options/wording.ts";
import { bodyErrors, errorResponses } from "../openapi/error-responses.ts";
import { idempotencyKeyParameter } from "../openapi/idempotency-parameter.ts";
import { jsonResponses } from "../openapi/success-responses.ts";

const tags = ["Keys"];

const schema = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const body = (name: string, { required = true } = {}): JsonSchema => ({
  required,
  content: {
    "application/json": { schema: schema(name) },
    "application/x-www-form-urlencoded": { schema: schema(name) },
  },
});

const errors = (...codes: readonly ErrorCode[]) =>
  errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", ...codes);

/** The path parameters of an API key. */
export const keyParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The `id` of the API key.", schema: { type: "integer" } },
];

const idempotencyKey = idempotencyKeyParameter(
  "The secrets in the response are stored encrypted under the API key of the request and this idempotency key. If you " +
    "repeat the request with another API key, the response is 409; if its API key was rotated meanwhile, it's 401.",
);

export const listKeys = (): JsonSchema => ({
  operationId: "listKeys",
  tags,
  summary: "List your API keys, oldest first",
  description: "Includes revoked and expired keys.",
  responses: { ...jsonResponses("GET /api/v1/keys", { 200: "All API keys of the account." }), ...errors() },
});

export const createKey = (): JsonSchema => ({
  operationId: "createKey",
  tags,
  summary: "Create an API key",
  description:
    "Only this response contains the API key and its signing secret, as do repetitions of it for the same " +
    `\`Idempotency-Key\`. An account can have ${atMost(MAX_KEYS, "API keys")} that aren't revoked.`,
  parameters: [idempotencyKey],
  requestBody: body("NewKey"),
  responses: {
    ...jsonResponses("POST /api/v1/keys", { 201: "The new API key." }, ["Idempotent-Replayed"]),
    ...errors("CONFLICT", ...bodyErrors),
  },
});

export const getKey = (): JsonSchema => ({
  operationId: "getKey",
  tags,
  summary: "Get an API key",
  responses: { ...jsonResponses("GET /api/v1/keys/{id}", { 200: "The API key." }), ...errors("NOT_FOUND") },
});

export const changeKey = (): JsonSchema => ({
  operationId: "changeKey",
  tags,
  summary: "Change the label, scopes, or expiry of an API key",
  description:
    "Options that you don't send keep their values. You can't change a revoked key. To add a scope, use an API key that has " +
    "this scope. To let the key expire later or never, or to turn `require_signature` off, use an API key that has all scopes " +
    "of the key.",
  requestBody: body("KeyChanges"),
  responses: {
    ...jsonResponses("PATCH /api/v1/keys/{id}", { 200: "The changed API key." }),
    ...errors("NOT_FOUND", "CONFLICT", ...bodyErrors),
  },
});

export const revokeKey = (): JsonSchema => ({
  operationId: "revokeKey",
  tags,
  summary: "Revoke an API key permanently",
  description: "The key stops working immediately and stays in the list. Revoking it again has no effect.",
  responses: {
    ...jsonResponses("DELETE /api/v1/keys/{id}", { 200: "The revoked API key." }),
    ...errors("NOT_FOUND", ...bodyErrors),
  },
});

export const rotateKey = (): JsonSchema => ({
  operationId: "rotateKey",
  tags,
  summary: "Replace the text and signing secret of an API key",
  description:
    "The previous key text stops working immediately; all other properties of the key stay. For 24 hours, webhooks are also " +
    "signed with the previous signing secret. Links that it signed end with the rotation, unless you send " +
    "`link_grace_period`. Only this response contains the new secrets, as do repetitions of it for the " +
    "same `Idempotency-Key`. Use an API key that has all scopes of the key to rotate.",
  parameters: [idempotencyKey],
  requestBody: body("KeyRotation", { required: false }),
  responses: {
    ...jsonResponses("POST /api/v1/keys/{id}/rotate", { 200: "The API key with its new secrets." }, [
      "Idempotent-Replayed",
    ]),
    ...errors("NOT_FOUND", "CONFLICT", ...bodyErrors),
  },
});
