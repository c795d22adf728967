// What a test event was answered with, what was sent, and how it was signed.
import type { WebhookTest } from "../../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { formatMilliseconds } from "../../ui/format.ts";

interface TestAnswerProps {
  readonly answer: WebhookTest;
  /** Whose signing secret signed it, such as `your API key`. */
  readonly signedWith: string;
}

export function TestAnswer({ answer: { is_delivered, delivery, request }, signedWith }: TestAnswerProps) {
  const { http_status_code, error, duration_ms, response_excerpt } = delivery;
  const isSigned = "webhook-signature" in request.headers;
  return (
    <div class="test-answer">
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
            <code>webhook-id.webhook-timestamp.body</code>. Its key is the signing secret of {signedWith}, decoded from
            Base64 after <code>whsec_</code>.{" "}
            <a href={`${apiBaseUrl}/docs/guide/async#verify-the-signature`}>Verify it</a> with a library of Standard
            Webhooks.
          </p>
        )}
      </details>
    </div>
  );
}
