// The form that creates a receiver of webhooks.
import { useState } from "preact/hooks";
import type { IssuedWebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../api.ts";
import { Notice } from "../notice.tsx";
import { useAction } from "../use-action.ts";

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
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <div class="field">
          <label for="receiver-name">Name</label>
          <input
            id="receiver-name"
            required
            maxLength={100}
            placeholder="Order service"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <div class="field field-wide">
          <label for="receiver-url">Address</label>
          <input
            id="receiver-url"
            type="url"
            required
            maxLength={2000}
            placeholder="https://example.com/webhooks"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value.trim())}
          />
        </div>
        <button type="submit" class="button-primary" disabled={action.isRunning}>
          Create receiver
        </button>
        {action.problem && <Notice problem={action.problem} />}
      </form>
    </section>
  );
}
