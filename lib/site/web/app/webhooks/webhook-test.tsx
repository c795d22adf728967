// Sends a test event to any address, and shows what was sent and what came back.
import { useState } from "preact/hooks";
import type { WebhookTest } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { handleSubmit } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";
import { AddressField } from "./receiver-fields.tsx";
import { TestAnswer } from "./test-answer.tsx";

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
      <h2>Test any address</h2>
      <form class="inline-form" onSubmit={handleSubmit(test)}>
        <AddressField id="webhook-url" label="Address of your receiver" url={address} onUrl={setAddress} />
        <button type="submit" disabled={action.isRunning}>
          {action.isRunning ? "Sending…" : "Send a test event"}
        </button>
      </form>
      {action.problem && <Notice problem={action.problem} />}
      <div role="status">{answer && <TestAnswer answer={answer} signedWith="your API key" />}</div>
    </section>
  );
}
