// The form that creates a receiver of webhooks.
import { useState } from "preact/hooks";
import type { IssuedWebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { handleSubmit } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";
import { ReceiverFields } from "./receiver-fields.tsx";

export function NewReceiverForm({ onIssued }: { readonly onIssued: (receiver: IssuedWebhookReceiver) => void }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const action = useAction();
  const create = () =>
    action.run(async () => {
      onIssued(await send<IssuedWebhookReceiver>("POST", "/api/v1/webhooks/receivers", { name, url }));
      setName("");
      setUrl("");
    });
  return (
    <section>
      <h2>New receiver</h2>
      <form class="inline-form" onSubmit={handleSubmit(create)}>
        <ReceiverFields id="receiver" name={name} url={url} onName={setName} onUrl={setUrl} />
        <button type="submit" class="button-primary" disabled={action.isRunning}>
          Create receiver
        </button>
        {action.problem && <Notice problem={action.problem} />}
      </form>
    </section>
  );
}
