// Above each screen of a suspended account: why, since when, what is left, and whom to ask.
import { AskOperator } from "../ui/ask-operator.tsx";
import type { Suspension } from "./session.ts";
import { Time } from "./time.tsx";

/** The reason is the operator's text. */
export function SuspensionNotice({ suspension: { reason, at } }: { readonly suspension: Suspension }) {
  return (
    <section class="suspension no-print" aria-labelledby="suspension">
      <h2 id="suspension">This account is suspended</h2>
      <p>
        Since <Time at={at} />. The reason: <strong>{reason}</strong>
      </p>
      <p>
        API keys, signed links, and webhooks don’t work until it is resumed. Nothing is deleted. You can still see your
        invoices, export your data, and delete the account. To have it resumed, <AskOperator />.
      </p>
    </section>
  );
}
