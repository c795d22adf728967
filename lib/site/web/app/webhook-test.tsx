// Sends a test event to a receiver of webhooks, and shows what was sent and how it was signed.
import { useState } from "preact/hooks";
import type { WebhookTest } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { send } from "./api.ts";
import { formatMilliseconds } from "./format.ts";
import { Notice } from "./notice.tsx";
import { useAction } from "./use-action.ts";

export function WebhookTestForm() {
  const [address, setAddress] = useState("");
  const [answer, setAnswer] = useState<WebhookTest>();
  const action = useAction();
  const test = () =>
    action.run(async () => {
      setAnswer(undefined);
      setAnswer(await send<WebhookTest>("POST", "/api/v1/webhooks/test", { webhook_url: address }));
    });
  return (
    <section>
      <h2>Test a webhook</h2>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <div class="field field-wide">
          <label for="webhook-url">Address of your receiver</label>
          <input
            id="webhook-url"
            type="url"
            required
            maxLength={2000}
            placeholder="https://example.com/webhooks"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value.trim())}
          />
        </div>
        <button type="submit" disabled={action.isRunning}>
          {action.isRunning ? "Sending…" : "Send a test event"}
        </button>
      </form>
      {action.problem && <Notice problem={action.problem} />}
      <div role="status">{answer && <Answer answer={answer} />}</div>
    </section>
  );
}

function Answer({ answer: { is_delivered, delivery, request } }: { readonly answer: WebhookTest }) {
  const { http_status_code, error, duration_ms, response_excerpt } = delivery;
  const isSigned = "webhook-signature" in request.headers;
  return (
    <div class="capture-details">
      <p>
        <span class={`badge badge-${is_delivered ? "success" : "failed"}`}>
          {is_delivered ? "delivered" : "failed"}
        </span>{" "}
        {http_status_code ?? "No response"} in {formatMilliseconds(duration_ms)}
        {error !== null && `. ${error}`}
      </p>
      {response_excerpt !== undefined && <pre>{response_excerpt}</pre>}
      <details>
        <summary>What was sent</summary>
        <pre>
          {Object.entries(request.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
          {"\n\n"}
          {request.body}
        </pre>
        {isSigned && (
          <p class="note">
            <code>webhook-signature</code> is <code>v1,</code> and the Base64 of the HMAC-SHA256 of{" "}
            <code>webhook-id.webhook-timestamp.body</code>. Its key is the signing secret of your API key, decoded from
            Base64 after <code>whsec_</code>. <a href={`${apiBaseUrl}/docs/guide/async#webhooks`}>Verify it</a> with a
            library of Standard Webhooks.
          </p>
        )}
      </details>
    </div>
  );
}
