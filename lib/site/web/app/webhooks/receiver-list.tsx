// The saved receivers of the account, each with its address and its health.
import type { WebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { BreakableText } from "../breakable-text.tsx";
import { addressOf } from "../router.ts";
import { ReceiverHealth } from "./receiver-health.tsx";

export function ReceiverList({ receivers }: { readonly receivers: readonly WebhookReceiver[] }) {
  return (
    <section>
      <h2>Saved receivers</h2>
      <ul class="receivers">
        {receivers.map((receiver) => (
          <li key={receiver.id}>
            <a class="receiver-name" href={addressOf(`webhooks?receiver=${receiver.id}`)}>
              <BreakableText text={receiver.name} />
            </a>
            <span class="receiver-url">
              <BreakableText text={receiver.url} />
            </span>
            <ReceiverHealth receiver={receiver} />
          </li>
        ))}
      </ul>
    </section>
  );
}
