// Where the webhook of a capture goes: an origin, or a saved receiver with a link to its page.
import { BreakableText } from "../../ui/breakable-text.tsx";
import { addressOf } from "../../ui/router.ts";

export function WebhookTargetText({ target }: { readonly target: string }) {
  if (target.includes("://")) return <BreakableText text={target} />;
  return <a href={addressOf(`webhooks?${new URLSearchParams({ receiver: target })}`)}>{target}</a>;
}
