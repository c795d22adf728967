// Pauses and resumes receivers of webhooks, and for saved ones lists their deliveries, tests them, and sends their events again.
import { ApiError } from "../../contract/errors/api-error.ts";
import { signingSecrets } from "../account/account.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import type { WebhookTest } from "../jobs/responses.ts";
import { enqueueDelivery, enqueueReceiverChange } from "../webhooks/webhook-queue.ts";
import { sendTestEvent } from "../webhooks/webhook-test.ts";
import { earliestDeliveries, type LoggedDelivery, listDeliveries, logRange } from "./delivery-log.ts";
import { recordDelivery } from "./delivery-record.ts";
import { unknownReceiver, unverifiedReceiver } from "./receiver.ts";
import type { DeliveryListOptions, ReplayOptions } from "./receiver-options.ts";
import { receiverResource } from "./receiver-resource.ts";
import {
  claimReplay,
  pauseReceiver,
  readReceiverSecrets,
  requireReceiver,
  resumeReceiver,
  verifyReceiver,
} from "./receiver-store.ts";
import { MAX_REPLAYED_DELIVERIES, REPLAY_PAUSE_S } from "./replay-limits.ts";
import { anyReceiver, requestedReceiver } from "./requested-receiver.ts";
import type { ReceiverDeliveries, WebhookReceiver, WebhookReplay } from "./responses.ts";

type ReceiverCall<Options = unknown> = RouteCall<"keys", Options, "ACTIVITY_TABLE" | "WEBHOOK_QUEUE_URL">;
type ReceiverResponse = Promise<ApiResponse<ResponseBody<typeof WebhookReceiver>>>;

/** Throws `NOT_FOUND`. */
export async function pauseWebhookReceiver({ request, caller, env }: ReceiverCall): ReceiverResponse {
  const { receivedAt: now } = request;
  const ids = anyReceiver(request, caller);
  const { status, failing_since } = await requireReceiver(env.ACCOUNTS_TABLE, ids);
  if (status === "active" && failing_since !== undefined) {
    await enqueueReceiverChange(env.WEBHOOK_QUEUE_URL, { kind: "pause", at: now }, ids);
  }
  const receiver = await pauseReceiver(env.ACCOUNTS_TABLE, ids, now);
  return json(200, await receiverResource(receiver, env, now));
}

/** Throws `NOT_FOUND`, and `CONFLICT` while its origin has not accepted a test event. */
export async function resumeWebhookReceiver({ request, caller, env }: ReceiverCall): ReceiverResponse {
  const { receivedAt: now } = request;
  const ids = anyReceiver(request, caller);
  const { unverified_since } = await requireReceiver(env.ACCOUNTS_TABLE, ids);
  if (unverified_since !== undefined) throw unverifiedReceiver();
  await enqueueReceiverChange(env.WEBHOOK_QUEUE_URL, { kind: "resume", at: now }, ids);
  return json(200, await receiverResource(await resumeReceiver(env.ACCOUNTS_TABLE, ids, now), env, now));
}

/** Throws `NOT_FOUND`. */
export async function listWebhookDeliveries({
  request,
  caller,
  options: { status, before, limit },
  env,
}: RouteCall<"usage", DeliveryListOptions, "ACTIVITY_TABLE">): Promise<
  ApiResponse<ResponseBody<typeof ReceiverDeliveries>>
> {
  const receiver = await requireReceiver(env.ACCOUNTS_TABLE, requestedReceiver(request, caller));
  const filter = { status, before, limit };
  const { deliveries, next } = await listDeliveries(env.ACTIVITY_TABLE, receiver, filter, request.receivedAt);
  const data = deliveries.map(({ receiver_id: _, ...delivery }) => delivery);
  return json(200, { data, next_before: next ?? null });
}

/** Sends a test event, once, and logs its delivery. An origin that accepts it gets events from then on. Throws `NOT_FOUND`. */
export async function testWebhookReceiver({
  request,
  caller,
  env,
}: ReceiverCall): Promise<ApiResponse<ResponseBody<typeof WebhookTest>>> {
  const now = request.receivedAt;
  const ids = requestedReceiver(request, caller);
  const [receiver, secrets] = await Promise.all([
    requireReceiver(env.ACCOUNTS_TABLE, ids),
    readReceiverSecrets(env.ACCOUNTS_TABLE, ids),
  ]);
  if (!secrets) throw unknownReceiver();
  const { message, answer } = await sendTestEvent(receiver.url, signingSecrets(secrets, now), now);
  const { type, id: event_id } = message;
  const to = { account_id: receiver.account_id, url: receiver.url, receiver };
  await recordDelivery(to, { ...answer.delivery, type, event_id, request_id: null, attempt: 1 }, env);
  if (answer.is_delivered && receiver.unverified_since !== undefined) {
    const verifiedAt = Date.now();
    await enqueueReceiverChange(env.WEBHOOK_QUEUE_URL, { kind: "resume", at: verifiedAt }, receiver);
    await verifyReceiver(env.ACCOUNTS_TABLE, receiver, verifiedAt);
  }
  return json(200, answer);
}

/** Sends the earliest part again of what is more than a replay may have. Throws `NOT_FOUND`, `RATE_LIMITED`, or `CONFLICT` for a paused receiver. */
export async function replayWebhooks({
  request,
  caller,
  options,
  env,
}: ReceiverCall<ReplayOptions>): Promise<ApiResponse<ResponseBody<typeof WebhookReplay>>> {
  const { receivedAt: now } = request;
  const receiver = await requireReceiver(env.ACCOUNTS_TABLE, requestedReceiver(request, caller));
  if (receiver.unverified_since !== undefined) throw unverifiedReceiver();
  if (receiver.status === "paused") {
    throw new ApiError("CONFLICT", "The receiver is paused. Resume it first, which sends the webhooks that were kept.");
  }
  const { since, until = new Date(now).toISOString() } = options;
  const possibleAt = await claimReplay(env.ACCOUNTS_TABLE, receiver, { now, pauseMs: REPLAY_PAUSE_S * 1000 });
  if (possibleAt !== undefined) throw replayedLately(possibleAt, now);
  const range = logRange(Date.parse(since), Math.min(now, Date.parse(until)));
  const found = await earliestDeliveries(env.ACTIVITY_TABLE, receiver, range, MAX_REPLAYED_DELIVERIES + 1);
  const [deliveries, [rest]] = [found.slice(0, MAX_REPLAYED_DELIVERIES), found.slice(MAX_REPLAYED_DELIVERIES)];
  const captures = new Set(deliveries.flatMap(({ request_id }) => request_id ?? [])).size;
  if (captures > 0) {
    const { account_id, id: receiver_id } = receiver;
    const replay = { kind: "replay", account_id, receiver_id, at: now, ...range } as const;
    await enqueueDelivery(env.WEBHOOK_QUEUE_URL, { ...replay, to: deliveries.at(-1)?.id ?? range.to });
  }
  return json(202, { message: replayMessage(captures, rest), captures, since, until: rest?.at ?? until });
}

function replayMessage(captures: number, rest: LoggedDelivery | undefined): string {
  if (captures === 0) return "No webhook was sent in this time.";
  return rest
    ? "The earliest webhooks are sent again. For the others, send this `until` as `since` after a minute."
    : "The webhooks are sent again.";
}

function replayedLately(possibleAt: number, now: number): ApiError {
  const seconds = Math.max(1, Math.ceil((possibleAt - now) / 1000));
  const message = `The webhooks of this receiver were sent again less than ${REPLAY_PAUSE_S} s ago. Try again in ${seconds} s.`;
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(seconds) } });
}
