// Lists and reads receivers of webhooks, creates, changes, and deletes saved ones, and shows and rotates their secrets.
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { createSigningSecret } from "../keys/issue-key.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { requireWebhookAddress } from "../webhooks/webhook-address.ts";
import { enqueueReceiverChange } from "../webhooks/webhook-queue.ts";
import { createReceiverId, type Receiver, unknownReceiver, withRotatedSecret } from "./receiver.ts";
import type { NewReceiverOptions, ReceiverChanges, SecretRotation } from "./receiver-options.ts";
import { receiverResource } from "./receiver-resource.ts";
import {
  changeReceiver,
  createReceiver,
  deleteReceiver,
  listAutomaticReceivers,
  listReceivers,
  readReceiverSecrets,
  requireReceiver,
  updateReceiverSecrets,
} from "./receiver-store.ts";
import { anyReceiver, requestedReceiver } from "./requested-receiver.ts";
import type { IssuedReceiver, ReceiverSecret, WebhookReceiver, WebhookReceivers } from "./responses.ts";

type ReceiverResponse = Promise<ApiResponse<ResponseBody<typeof WebhookReceiver>>>;
type IssuedResponse = Promise<ApiResponse<ResponseBody<typeof IssuedReceiver>>>;

/** Private origins to which webhooks may be sent. */
const allowed = allowedOrigins();

/** Throws `VALIDATION_ERROR` for an address to which webhooks may not be sent. */
export function requireReceiverAddress({ url }: { readonly url?: string }): void {
  if (url !== undefined) requireWebhookAddress(url, allowed, "url");
}

export async function listWebhookReceivers({
  request: { receivedAt: now },
  caller: { account },
  env,
}: RouteCall<"keys", unknown, "ACTIVITY_TABLE">): Promise<ApiResponse<ResponseBody<typeof WebhookReceivers>>> {
  const [saved, automatic] = await Promise.all([
    listReceivers(env.ACCOUNTS_TABLE, account.id),
    listAutomaticReceivers(env.ACCOUNTS_TABLE, account.id),
  ]);
  const receivers = [...saved, ...automatic];
  return json(200, { data: await Promise.all(receivers.map((receiver) => receiverResource(receiver, env, now))) });
}

/** Throws `CONFLICT` when the account has a receiver of this name, or as many as it may have. */
export async function createWebhookReceiver({
  request: { receivedAt: now },
  caller: { account },
  options: { name, url },
  env,
}: RouteCall<"keys", NewReceiverOptions, "ACTIVITY_TABLE">): IssuedResponse {
  const receiver: Receiver = {
    id: createReceiverId(),
    account_id: account.id,
    name,
    url: new URL(url).href,
    status: "active",
    created_at: new Date(now).toISOString(),
  };
  const signing_secret = createSigningSecret();
  await createReceiver(env.ACCOUNTS_TABLE, receiver, signing_secret);
  return json(201, { ...(await receiverResource(receiver, env, now)), signing_secret });
}

/** Throws `NOT_FOUND`. */
export async function getWebhookReceiver({
  request,
  caller,
  env,
}: RouteCall<"keys", unknown, "ACTIVITY_TABLE">): ReceiverResponse {
  const receiver = await requireReceiver(env.ACCOUNTS_TABLE, anyReceiver(request, caller));
  return json(200, await receiverResource(receiver, env, request.receivedAt));
}

/** Throws `NOT_FOUND` or `CONFLICT`. */
export async function changeWebhookReceiver({
  request,
  caller,
  options: { name, url },
  env,
}: RouteCall<"keys", ReceiverChanges, "ACTIVITY_TABLE">): ReceiverResponse {
  const changes = { ...(name !== undefined && { name }), ...(url !== undefined && { url: new URL(url).href }) };
  const now = request.receivedAt;
  const receiver = await changeReceiver(env.ACCOUNTS_TABLE, requestedReceiver(request, caller), changes, now);
  return json(200, await receiverResource(receiver, env, now));
}

/** What was kept for the receiver is sent after that, which fails, so that its captures say why. Throws `NOT_FOUND`. */
export async function deleteWebhookReceiver({
  request,
  caller,
  env,
}: RouteCall<"keys", unknown, "WEBHOOK_QUEUE_URL">): Promise<ApiResponse<never>> {
  const ids = requestedReceiver(request, caller);
  await deleteReceiver(env.ACCOUNTS_TABLE, ids);
  await enqueueReceiverChange(env.WEBHOOK_QUEUE_URL, { kind: "resume", at: request.receivedAt }, ids);
  return { status: 204, headers: { "Cache-Control": "no-store" } };
}

/** Throws `NOT_FOUND`. */
export async function getWebhookSecret({
  request,
  caller,
  env,
}: RouteCall<"keys">): Promise<ApiResponse<ResponseBody<typeof ReceiverSecret>>> {
  const secrets = await readReceiverSecrets(env.ACCOUNTS_TABLE, requestedReceiver(request, caller));
  if (!secrets) throw unknownReceiver();
  return json(200, { signing_secret: secrets.signing_secret });
}

/** Throws `NOT_FOUND`, or `CONFLICT` when too many previous secrets sign. */
export async function rotateWebhookSecret({
  request,
  caller,
  options: { overlap: overlapSeconds },
  env,
}: RouteCall<"keys", SecretRotation, "ACTIVITY_TABLE">): IssuedResponse {
  const { receivedAt: now } = request;
  const secret = createSigningSecret();
  const ids = requestedReceiver(request, caller);
  const { receiver, signing_secret } = await updateReceiverSecrets(env.ACCOUNTS_TABLE, ids, (secrets) =>
    withRotatedSecret(secrets, { secret, now, overlapSeconds }),
  );
  return json(200, { ...(await receiverResource(receiver, env, now)), signing_secret });
}
