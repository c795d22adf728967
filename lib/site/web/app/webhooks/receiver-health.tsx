// How a receiver is: paused and by whom, failing, or well, and since when.
import type { WebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { countText } from "../../ui/format.ts";
import { Time } from "../time.tsx";

/** The service counts no further. */
const MAX_COUNTED_EVENTS = 1_000;

const pauseReasons: Readonly<Record<NonNullable<WebhookReceiver["paused_by"]>, string>> = {
  account: "by you",
  automatic: "because it failed for a day",
  verification: "until its new origin accepts a test event",
};

export function ReceiverHealth({ receiver }: { readonly receiver: WebhookReceiver }) {
  const { status, paused_at, paused_by, failing_since, last_success_at } = receiver;
  if (status === "paused") {
    return (
      <span class="receiver-health">
        <span class="badge">paused</span> <span>since {paused_at !== null && <Time at={paused_at} />}</span>
        <span>{pauseReasons[paused_by ?? "account"]}</span>
        <span>{keptText(receiver)}</span>
      </span>
    );
  }
  if (failing_since !== null) {
    return (
      <span class="receiver-health">
        <span class="badge badge-failed">failing</span>{" "}
        <span>
          since <Time at={failing_since} />
        </span>
      </span>
    );
  }
  return (
    <span class="receiver-health">
      {last_success_at === null ? (
        <>
          <span class="badge">new</span> <span>Nothing was sent yet</span>
        </>
      ) : (
        <>
          <span class="badge badge-success">ok</span>{" "}
          <span>
            last delivery <Time at={last_success_at} />
          </span>
        </>
      )}
    </span>
  );
}

/** Such as `3 webhooks are kept`. */
export function keptText({ kept_events }: Pick<WebhookReceiver, "kept_events">): string {
  if (kept_events >= MAX_COUNTED_EVENTS) return `${countText(kept_events, "webhook")} or more are kept`;
  return `${countText(kept_events, "webhook")} ${kept_events === 1 ? "is" : "are"} kept`;
}
