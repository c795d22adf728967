// The routes of API keys: `/api/v1/keys`, `/api/v1/keys/{id}`, and below it `/rotate` and `/previous`.

import type { JsonSchema } from "../../contract/options/option.ts";
import { atMost } from "../../contract/options/wording.ts";
import { requireGrantableScopes } from "../account/authenticate.ts";
import { defineRoute } from "../http/define-route.ts";
import { MAX_KEYS } from "./key-count.ts";
import {
  keyChangeEntries,
  newKeyEntries,
  parseKeyChanges,
  parseNewKey,
  parseRotation,
  rotationEntries,
} from "./key-options.ts";
import { IssuedKeyResponse, Key, Keys } from "./responses.ts";

const handlers = () => import("./serve-keys.ts");

const all = { path: "/api/v1/keys", functionName: "identity", access: "keys" } as const;
const one = { path: "/api/v1/keys/{id}", functionName: "identity", access: "keys" } as const;

const tag = "Keys";

const pathParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The `id` of the API key.", schema: { type: "integer" } },
];

const idempotency = {
  description:
    "The secrets in the response are stored encrypted under the API key of the request and this idempotency key. If you " +
    "repeat the request with another API key, the response is 409; if its API key was rotated meanwhile, it's 401.",
  isSecret: true,
} as const;

export const listKeysRoute = defineRoute({
  ...all,
  method: "GET",
  operation: {
    id: "listKeys",
    tag,
    summary: "List your API keys, oldest first",
    description: "Includes revoked and expired keys.",
  },
  responses: { 200: { description: "All API keys of the account.", json: [Keys] } },
  handler: async () => (await handlers()).listKeys,
});

export const createKeyRoute = defineRoute({
  ...all,
  method: "POST",
  hasSecrets: true,
  idempotency,
  options: { entries: newKeyEntries, parse: parseNewKey },
  check: ({ caller, options }) => requireGrantableScopes(caller, options.scopes, "create"),
  operation: {
    id: "createKey",
    tag,
    summary: "Create an API key",
    description:
      "Only this response contains the API key and its signing secret, as do repetitions of it for the same " +
      `\`Idempotency-Key\`. An account can have ${atMost(MAX_KEYS, "API keys")} that aren't revoked.`,
    body: {
      name: "NewKey",
      required: ["label"],
      examples: [{ label: "Website", scopes: ["capture"], expires_at: "2027-01-31T00:00:00Z" }],
    },
  },
  responses: { 201: { description: "The new API key.", json: [IssuedKeyResponse] } },
  handler: async () => (await handlers()).createKey,
});

export const getKeyRoute = defineRoute({
  ...one,
  method: "GET",
  operation: { id: "getKey", tag, pathParameters, summary: "Get an API key", errors: ["NOT_FOUND"] },
  responses: { 200: { description: "The API key.", json: [Key] } },
  handler: async () => (await handlers()).getKey,
});

export const changeKeyRoute = defineRoute({
  ...one,
  method: "PATCH",
  options: { entries: keyChangeEntries, parse: parseKeyChanges },
  operation: {
    id: "changeKey",
    tag,
    pathParameters,
    summary: "Change the label, scopes, expiry, or monthly limit of an API key",
    description:
      "Options that you don't send keep their values. You can't change a revoked key. To add a scope, use an API key that has " +
      "this scope. To let the key expire later or never, to raise or remove its monthly limit, or to turn `require_signature` " +
      "off, use an API key that has all scopes of the key.",
    body: {
      name: "KeyChanges",
      isRequired: true,
      examples: [{ label: "Old website", expires_at: null }, { monthly_limit: 1_000 }],
    },
    errors: ["NOT_FOUND", "CONFLICT"],
  },
  responses: { 200: { description: "The changed API key.", json: [Key] } },
  handler: async () => (await handlers()).changeKey,
});

export const revokeKeyRoute = defineRoute({
  ...one,
  method: "DELETE",
  operation: {
    id: "revokeKey",
    tag,
    pathParameters,
    summary: "Revoke an API key permanently",
    description: "The key stops working immediately and stays in the list. Revoking it again has no effect.",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The revoked API key.", json: [Key] } },
  handler: async () => (await handlers()).revokeKey,
});

export const endPreviousTextsRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/keys/{id}/previous",
  functionName: "identity",
  access: "keys",
  operation: {
    id: "endPreviousTexts",
    tag,
    pathParameters,
    summary: "End the overlap of a rotation now",
    description:
      "The previous texts of the API key stop working immediately, and so do links that its previous signing secrets signed. Doing " +
      "it again has no effect.",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The API key.", json: [Key] } },
  handler: async () => (await handlers()).endPreviousTexts,
});

export const rotateKeyRoute = defineRoute({
  method: "POST",
  hasSecrets: true,
  path: "/api/v1/keys/{id}/rotate",
  functionName: "identity",
  access: "keys",
  idempotency,
  options: { entries: rotationEntries, parse: parseRotation },
  operation: {
    id: "rotateKey",
    tag,
    pathParameters,
    summary: "Replace the text and signing secret of an API key",
    description:
      "The previous key text stops working immediately, or after `overlap`; all other properties of the key stay. A rotation " +
      "never lets an earlier text work longer. For 24 hours, or for a longer `overlap`, webhooks are also signed with the previous " +
      "signing secret. Links that it signed end with the previous text, unless you send `link_grace_period`. Only this response contains the new secrets, as do repetitions of it for the " +
      "same `Idempotency-Key`. Use an API key that has all scopes of the key to rotate.",
    body: { name: "KeyRotation", examples: [{ overlap: 86_400 }, { link_grace_period: 3600 }] },
    errors: ["NOT_FOUND", "CONFLICT"],
  },
  responses: { 200: { description: "The API key with its new secrets.", json: [IssuedKeyResponse] } },
  handler: async () => (await handlers()).rotateRequestedKey,
});
