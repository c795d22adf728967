// A receiver of webhooks as the API answers it.
import type { ResponseBody } from "../http/response-fields.ts";
import { isAutomaticId, type Receiver } from "./receiver.ts";
import type { WebhookReceiver } from "./responses.ts";
import { countStoredEvents } from "./stored-events.ts";

/** The receiver at `now` (milliseconds since 1970), with the number of events in the Activity table that are kept for it. */
export async function receiverResource(
  receiver: Receiver,
  { ACTIVITY_TABLE }: { readonly ACTIVITY_TABLE: string },
  now: number,
): Promise<ResponseBody<typeof WebhookReceiver>> {
  const { id, name, url, status, created_at, previous_secret_ends_at: secretEnd } = receiver;
  return {
    id,
    kind: isAutomaticId(id) ? "automatic" : "saved",
    name,
    url,
    status,
    paused_at: receiver.paused_at ?? null,
    paused_by: receiver.paused_at === undefined ? null : (receiver.paused_by ?? "account"),
    unverified_since: receiver.unverified_since ?? null,
    kept_events: await countStoredEvents(ACTIVITY_TABLE, receiver),
    last_success_at: receiver.last_success_at ?? null,
    last_failure_at: receiver.last_failure_at ?? null,
    failing_since: receiver.failing_since ?? null,
    previous_secret_ends_at: secretEnd !== undefined && Date.parse(secretEnd) > now ? secretEnd : null,
    created_at,
  };
}
