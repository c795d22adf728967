// Delivers an event to the operator's address when it is due: the same request, attempts, and egress policy as those of customers' webhooks.
import { randomUUID } from "node:crypto";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { withLogContext } from "../platform/log-context.ts";
import {
  type Delivery,
  finishDeliveryAttempt,
  nextStep,
  restartedDelivery,
  startDeliveryAttempt,
} from "../webhooks/webhook.ts";
import { sendWebhook } from "../webhooks/webhook-client.ts";
import type { OperatorEventRequest } from "../webhooks/webhook-queue.ts";
import { signedRequest } from "../webhooks/webhook-request.ts";
import { queueEventMail } from "./event-mail.ts";
import {
  type EventWebhook,
  endPending,
  findOperatorEvent,
  putPending,
  replaceEventWebhook,
  type StoredEvent,
  storeMailOutcome,
} from "./event-store.ts";
import type { OperatorEvent } from "./operator-event.ts";
import { operatorSecrets } from "./operator-secret.ts";

export interface EventDelivery {
  readonly env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE">;
  /** The operator's address; undefined where events are stored only. */
  readonly url: string | undefined;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
  /** Milliseconds within which the receiver must respond. @default 10,000 */
  readonly timeoutMs?: number;
}

/**
 * Delivers an event that is due and that no other worker is delivering, and queues the mail about it, once. Resolves to when its message is
 * to be sent again, in milliseconds since 1970, or to undefined when nothing is left to do.
 */
export function deliverOperatorEvent(
  request: OperatorEventRequest,
  delivering: EventDelivery,
): Promise<number | undefined> {
  const { account_id, id } = request;
  return withLogContext({ account_id, operator_event: id }, () => deliver(request, delivering));
}

async function deliver(
  { id, again = 0 }: OperatorEventRequest,
  delivering: EventDelivery,
): Promise<number | undefined> {
  const { env, url } = delivering;
  const table = env.ACTIVITY_TABLE;
  for (;;) {
    const now = Date.now();
    const event = await findOperatorEvent(table, id);
    if (!event) return undefined; // it has expired
    if (event.mail === undefined) await storeMailOutcome(table, id, await queueEventMail(event, env, now));
    const { webhook } = event;
    if (again > (webhook.restarted_at ?? 0)) {
      if (webhook.is_in_flight && webhook.next_at > now) return webhook.next_at; // at most one attempt at a time
      if (await replaceEventWebhook(table, event, { ...restartedDelivery(webhook), restarted_at: again }))
        await putPending(table, event);
      continue;
    }
    const next = nextStep(webhook, undefined, now);
    if (next.step === "wait") return next.until;
    if (next.step === "end") {
      await endPending(table, id);
      return undefined;
    }
    if (url === undefined) {
      await replaceEventWebhook(table, event, withoutAddress(webhook));
      continue;
    }
    const secrets = await operatorSecrets(env.ACCOUNTS_TABLE, now);
    const attempted = startDeliveryAttempt(webhook, { holder: randomUUID(), now });
    if (!(await replaceEventWebhook(table, event, attempted))) continue; // another worker was faster
    const delivery = secrets.length > 0 ? await send(event, { secrets, url, delivering }) : withoutSecret(now);
    await storeAttempt(table, { ...event, webhook: attempted }, delivery);
  }
}

function withoutAddress(webhook: EventWebhook): EventWebhook {
  return { ...webhook, status: "not_configured", version: webhook.version + 1 };
}

/** Nothing is sent unsigned. */
function withoutSecret(now: number): Delivery {
  const error = "There is no operator's secret that could sign it. Make one: npm run operator -- secret";
  return { at: new Date(now).toISOString(), http_status_code: null, error, duration_ms: 0 };
}

async function send(
  event: OperatorEvent,
  {
    secrets,
    url,
    delivering: { allowed, timeoutMs },
  }: { readonly secrets: readonly string[]; readonly url: string; readonly delivering: EventDelivery },
): Promise<Delivery> {
  const request = operatorEventRequest(event, { secrets, now: Date.now() });
  const delivery = await sendWebhook(url, request, { allowed, ...(timeoutMs !== undefined && { timeoutMs }) });
  const { http_status_code, duration_ms } = delivery;
  logInfo("operator event", { type: event.type, http_status_code, duration_ms });
  return delivery;
}

/** The request that delivers an event at `now` (milliseconds since 1970), signed with each of `secrets`. */
export function operatorEventRequest(
  { id, type, created_at, account_id, data }: OperatorEvent,
  signing: { readonly secrets: readonly string[]; readonly now: number },
) {
  return signedRequest(id, { id, type, timestamp: created_at, account_id, data }, signing);
}

/** Stores the outcome of an attempt, merged with what was stored meanwhile. */
async function storeAttempt(table: string, attempted: StoredEvent, delivery: Delivery): Promise<void> {
  const facts = { round: attempted.webhook.round, now: Date.now(), random: Math.random() };
  let stored: StoredEvent | undefined = attempted;
  while (stored && !(await replaceEventWebhook(table, stored, finishDeliveryAttempt(stored.webhook, delivery, facts))))
    stored = await findOperatorEvent(table, attempted.id);
}
