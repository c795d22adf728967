// The receivers of the account, each with its address and its health: saved ones, and origins of `webhook_url` that fail or are paused.
import type { ComponentChildren } from "preact";
import type { WebhookReceiver } from "../../../../../clients/typescript/src/generated/types.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { addressOf } from "../../ui/router.ts";
import { ReceiverHealth } from "./receiver-health.tsx";

export function ReceiverList({ receivers }: { readonly receivers: readonly WebhookReceiver[] }) {
  const saved = receivers.filter(({ kind }) => kind === "saved");
  const automatic = receivers.filter(({ kind }) => kind === "automatic");
  return (
    <>
      {saved.length > 0 && <ReceiverSection title="Saved receivers" receivers={saved} />}
      {automatic.length > 0 && (
        <ReceiverSection title="Failing addresses" receivers={automatic}>
          <p class="note">
            Webhooks to these addresses of <code>webhook_url</code> fail or are paused.
          </p>
        </ReceiverSection>
      )}
    </>
  );
}

interface ReceiverSectionProps {
  readonly title: string;
  readonly receivers: readonly WebhookReceiver[];
  readonly children?: ComponentChildren;
}

function ReceiverSection({ title, receivers, children }: ReceiverSectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
      <ul class="receivers">
        {receivers.map((receiver) => (
          <li key={receiver.id}>
            <a class="receiver-name" href={addressOf(`webhooks?receiver=${receiver.id}`)}>
              <BreakableText text={receiver.name} />
            </a>
            {receiver.url !== receiver.name && (
              <span class="receiver-url">
                <BreakableText text={receiver.url} />
              </span>
            )}
            <ReceiverHealth receiver={receiver} />
          </li>
        ))}
      </ul>
    </section>
  );
}
