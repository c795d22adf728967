// Shows the events for the operator with their deliveries, and sends one again.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { findOperatorEvent, readOperatorEvents, type StoredEvent } from "../operator-events/event-store.ts";
import { EVENT_ID } from "../operator-events/operator-event.ts";
import { queueEventAgain } from "../operator-events/queue-event.ts";
import { auditContext, auditFirst } from "./audited-change.ts";
import type { EventPage } from "./event-responses.ts";
import type { EventsOptions } from "./operator-options.ts";

const PAGE_EVENTS = 25;

type EventRows = ResponseBody<typeof EventPage>;

/** A page of the events, newest first. */
export async function listEvents({
  request,
  options: { after },
  env,
}: RouteCall<"operator", EventsOptions, "ACTIVITY_TABLE">): Promise<ApiResponse<EventRows>> {
  const range = { before: after, pageSize: PAGE_EVENTS, now: request.receivedAt };
  const { events, next } = await readOperatorEvents(env.ACTIVITY_TABLE, range);
  return json(200, { data: events.map(describeEvent), next: next ?? null });
}

function describeEvent({ id, type, created_at, account_id, data, webhook }: StoredEvent): EventRows["data"][number] {
  const { status, deliveries } = webhook;
  const { at = null, http_status_code = null, error = null } = deliveries.at(-1) ?? {};
  const delivery = { status, attempts: deliveries.length, at, http_status_code, error };
  return { id, type, created_at, account_id, data, delivery };
}

/** Queues an event to be sent again, regardless of its state. Throws `NOT_FOUND`. */
export async function sendEvent(
  call: RouteCall<"operator", unknown, "ACTIVITY_TABLE" | "WEBHOOK_QUEUE_URL">,
): Promise<ApiResponse<never>> {
  const { request, env } = call;
  const id = request.pathParameters["id"] ?? "";
  const event = EVENT_ID.test(id) ? await findOperatorEvent(env.ACTIVITY_TABLE, id) : undefined;
  if (!event) throw new ApiError("NOT_FOUND", "There is no event of this id.");
  const details = { event: id, type: event.type };
  await auditFirst(auditContext(call), { action: "event.sent_again", account_id: event.account_id, details });
  await queueEventAgain(env.WEBHOOK_QUEUE_URL, event, request.receivedAt);
  return { status: 202 };
}
