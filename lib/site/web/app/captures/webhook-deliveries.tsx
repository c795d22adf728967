// The webhook of an asynchronous capture: where it goes, each attempt to deliver it, and another one.
import { useState } from "preact/hooks";
import type { CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { formatMilliseconds } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { useAction } from "../../ui/use-action.ts";
import { Time } from "../time.tsx";
import { WebhookTargetText } from "../webhooks/webhook-target.tsx";

interface WebhookDeliveriesProps {
  readonly job: CaptureState;
  readonly onChanged: () => void;
}

/** Nothing for a capture without a webhook. */
export function WebhookDeliveries({ job, onChanged }: WebhookDeliveriesProps) {
  const { request_id: id, webhook, webhook_target: target } = job;
  const [isSent, setSent] = useState(false);
  const action = useAction();
  if (!webhook) return null;
  const { status, deliveries, next_attempt_at } = webhook;
  const redeliver = async () => {
    const isDone = await action.run(() => send("POST", `/api/v1/screenshot/${id}/webhook/redeliver`));
    setSent(isDone);
    if (isDone) onChanged();
  };
  return (
    <section>
      <h2>Webhook</h2>
      <p>
        <span class={`badge badge-${badges[status] ?? status}`}>{status}</span>{" "}
        {target !== null && (
          <>
            to <WebhookTargetText target={target} />
          </>
        )}
      </p>
      {deliveries.length === 0 ? (
        <p class="note">It was not sent yet.</p>
      ) : (
        <ol class="plain-list deliveries">
          {deliveries.map(({ at, http_status_code, error, duration_ms, response_excerpt }) => (
            <li key={at}>
              <Time at={at} />: {http_status_code ?? "no response"} in {formatMilliseconds(duration_ms)}
              {error !== null && `. ${error}`}
              {response_excerpt !== undefined && <pre>{response_excerpt}</pre>}
            </li>
          ))}
        </ol>
      )}
      {next_attempt_at !== null && (
        <p class="note">
          Next attempt: <Time at={next_attempt_at} />
        </p>
      )}
      <p class="form-actions">
        <button type="button" disabled={action.isRunning} onClick={() => void redeliver()}>
          {isSent ? "Sent again" : "Send again"}
        </button>
        <a class="button" href={addressOf("webhooks")}>
          Test a webhook
        </a>
      </p>
      {action.problem && <Notice problem={action.problem} />}
    </section>
  );
}

const badges: Readonly<Record<string, string>> = { delivered: "success", failed: "failed", paused: "queued" };
