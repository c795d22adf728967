// The routes of saved receivers of webhooks and of their secrets: `/api/v1/webhooks/receivers`, `…/{id}`, and below it `/secret` and
// `/rotate`. Those of their events are in `event-routes.ts`, for a function that can write no secrets.
import { atMost } from "../../contract/options/wording.ts";
import { defineRoute } from "../http/define-route.ts";
import { MAX_RECEIVERS } from "./receiver.ts";
import {
  newReceiverEntries,
  parseNewReceiver,
  parseReceiverChanges,
  parseSecretRotation,
  receiverChangeEntries,
  secretRotationEntries,
} from "./receiver-options.ts";
import { IssuedReceiver, ReceiverSecret, WebhookReceiver, WebhookReceivers } from "./responses.ts";
import { NEEDS_SCOPES, PATH, pathParameters, requireCaptureScope, tag } from "./route-parts.ts";

const handlers = () => import("./serve-receivers.ts");

const all = { path: PATH, functionName: "identity" } as const;
const one = { path: `${PATH}/{id}`, functionName: "identity" } as const;
const env = ["ACTIVITY_TABLE"] as const;

const idempotency = {
  description:
    "The secret in the response is stored encrypted under the API key of the request and this idempotency key. If you " +
    "repeat the request with another API key, the response is 409; if its API key was rotated meanwhile, it's 401.",
  isSecret: true,
} as const;

export const listReceiversRoute = defineRoute({
  ...all,
  method: "GET",
  access: "keys",
  env,
  operation: {
    id: "listWebhookReceivers",
    tag,
    summary: "List your webhook receivers, oldest first",
    description:
      "With their health, and without their secrets. After the saved ones come automatic ones, for origins of `webhook_url` that fail or " +
      "are paused. Requires an API key with the scope `keys`.",
  },
  responses: { 200: { description: "All webhook receivers of the account.", json: [WebhookReceivers] } },
  handler: async () => (await handlers()).listWebhookReceivers,
});

export const createReceiverRoute = defineRoute({
  ...all,
  method: "POST",
  access: "keys",
  hasSecrets: true,
  env,
  idempotency,
  options: { entries: newReceiverEntries, parse: parseNewReceiver },
  check: async (call) => {
    requireCaptureScope(call);
    (await handlers()).requireReceiverAddress(call.options);
  },
  operation: {
    id: "createWebhookReceiver",
    tag,
    summary: "Create a webhook receiver",
    description:
      "Saves a URL that captures name by the receiver's `id`, as `webhook_receiver`. Webhooks to it are signed with a secret of its own. " +
      `An account can have ${atMost(MAX_RECEIVERS, "receivers")}. ${NEEDS_SCOPES}`,
    body: {
      name: "NewWebhookReceiver",
      required: ["name", "url"],
      examples: [{ name: "Order service", url: "https://orders.example.com/webhooks" }],
    },
    errors: ["CONFLICT"],
  },
  responses: { 201: { description: "The new receiver.", json: [IssuedReceiver] } },
  handler: async () => (await handlers()).createWebhookReceiver,
});

export const getReceiverRoute = defineRoute({
  ...one,
  method: "GET",
  access: "keys",
  env,
  operation: {
    id: "getWebhookReceiver",
    tag,
    pathParameters,
    summary: "Get a webhook receiver",
    description: "Requires an API key with the scope `keys`.",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The receiver.", json: [WebhookReceiver] } },
  handler: async () => (await handlers()).getWebhookReceiver,
});

export const changeReceiverRoute = defineRoute({
  ...one,
  method: "PATCH",
  access: "keys",
  env,
  options: { entries: receiverChangeEntries, parse: parseReceiverChanges },
  check: async (call) => {
    requireCaptureScope(call);
    (await handlers()).requireReceiverAddress(call.options);
  },
  operation: {
    id: "changeWebhookReceiver",
    tag,
    pathParameters,
    summary: "Change the name or URL of a webhook receiver",
    description:
      "Options that you don't send keep their values. A new URL also applies to webhooks that wait for a retry or are kept. " +
      NEEDS_SCOPES,
    body: {
      name: "WebhookReceiverChanges",
      isRequired: true,
      examples: [{ url: "https://orders.example.com/v2/webhooks" }],
    },
    errors: ["NOT_FOUND", "CONFLICT"],
  },
  responses: { 200: { description: "The changed receiver.", json: [WebhookReceiver] } },
  handler: async () => (await handlers()).changeWebhookReceiver,
});

export const deleteReceiverRoute = defineRoute({
  ...one,
  method: "DELETE",
  access: "keys",
  env: ["WEBHOOK_QUEUE_URL"],
  check: requireCaptureScope,
  operation: {
    id: "deleteWebhookReceiver",
    tag,
    pathParameters,
    summary: "Delete a webhook receiver",
    description:
      "Webhooks that wait for it or are kept for it fail, and captures that name it are refused. To stop webhooks for a while, pause " +
      `the receiver instead. ${NEEDS_SCOPES}`,
    errors: ["NOT_FOUND"],
  },
  responses: { 204: { description: "The receiver was deleted." } },
  handler: async () => (await handlers()).deleteWebhookReceiver,
});

export const getReceiverSecretRoute = defineRoute({
  method: "GET",
  path: `${PATH}/{id}/secret`,
  functionName: "identity",
  access: "keys",
  hasSecrets: true,
  check: requireCaptureScope,
  operation: {
    id: "getWebhookSecret",
    tag,
    pathParameters,
    summary: "Get the signing secret of a webhook receiver",
    description: NEEDS_SCOPES,
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The secret.", json: [ReceiverSecret] } },
  handler: async () => (await handlers()).getWebhookSecret,
});

export const rotateReceiverSecretRoute = defineRoute({
  method: "POST",
  path: `${PATH}/{id}/rotate`,
  functionName: "identity",
  access: "keys",
  hasSecrets: true,
  env,
  idempotency,
  options: { entries: secretRotationEntries, parse: parseSecretRotation },
  check: requireCaptureScope,
  operation: {
    id: "rotateWebhookSecret",
    tag,
    pathParameters,
    summary: "Replace the signing secret of a webhook receiver",
    description:
      "For `overlap` seconds, webhooks are signed with both secrets, and a library of Standard Webhooks accepts either. A rotation never " +
      `lets an earlier secret sign longer. ${NEEDS_SCOPES}`,
    body: { name: "WebhookSecretRotation", examples: [{ overlap: 86_400 }] },
    errors: ["NOT_FOUND", "CONFLICT"],
  },
  responses: { 200: { description: "The receiver with its new secret.", json: [IssuedReceiver] } },
  handler: async () => (await handlers()).rotateWebhookSecret,
});
