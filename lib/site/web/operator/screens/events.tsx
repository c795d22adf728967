// The events of accounts that the operator gets as webhooks: what happened, and what became of its delivery.
import { useState } from "preact/hooks";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { countText, planName } from "../../ui/format.ts";
import { useSend } from "../../ui/frame.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, useAddress } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { formatUtc } from "../ages.ts";
import type { EventDelivery, ListPage, OperatorEvent } from "../answers.ts";
import { ListPages } from "../list-pages.tsx";
import { API } from "../requests.ts";
import { Age } from "../time.tsx";

export function EventsScreen() {
  const after = useAddress().query.get("after") ?? "";
  const parameters = new URLSearchParams(after === "" ? {} : { after });
  const list = useResource<ListPage<OperatorEvent>>(`${API}/events?${parameters}`);
  const [open, setOpen] = useState<OperatorEvent>();
  const [outcome, setOutcome] = useState<string>();
  const send = useSend();
  if (!list.data) {
    return list.error ? (
      <Notice problem={list.error} retry={list.reload} />
    ) : (
      <ListSkeleton rows={10} label="The events are being read." />
    );
  }
  const { data, next } = list.data;
  const sendAgain = async ({ id }: OperatorEvent) => {
    await send("POST", `${API}/events/${id}/send`);
    setOutcome("The event is queued, and is sent within seconds.");
    list.reload();
  };
  return (
    <>
      <p class="list-line note">
        <span>
          What owners ask for or change of their plans, and their invoices, for 90 days. Each is a webhook to your
          address. Times are in UTC.
        </span>
        <button type="button" onClick={list.reload}>
          Reload
        </button>
      </p>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {data.length === 0 ? (
        <p>Nothing has happened yet. The first event shows here.</p>
      ) : (
        <table class="dense events">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Event</th>
              <th scope="col">Webhook</th>
            </tr>
          </thead>
          <tbody>
            {data.map((event) => (
              <Row key={event.id} event={event} sendAgain={() => setOpen(event)} />
            ))}
          </tbody>
        </table>
      )}
      <ListPages path="events" after={after} next={next} />
      {open && (
        <ActionDialog
          title="Send the event again?"
          answer="Send again"
          act={() => sendAgain(open)}
          onClose={() => setOpen(undefined)}
        >
          <p>
            Your address gets it with the same <code>webhook-id</code>, so a receiver that has handled it can ignore it.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

interface RowProps {
  readonly event: OperatorEvent;
  readonly sendAgain: () => void;
}

function Row({ event, sendAgain }: RowProps) {
  const { created_at, account_id, delivery } = event;
  return (
    <tr>
      <th scope="row">
        <time dateTime={created_at}>{formatUtc(created_at, true)}</time>
        <span class="second-line">
          <Age at={created_at} />
        </span>
      </th>
      <td>
        {describe(event)} <a href={addressOf(`accounts/${account_id}`)}>account {account_id}</a>
        <span class="second-line">
          <BreakableText text={event.data.account.label} />
        </span>
      </td>
      <td>
        <DeliveryState delivery={delivery} />{" "}
        <button type="button" class="quiet" aria-haspopup="dialog" onClick={sendAgain}>
          Send again…
        </button>
      </td>
    </tr>
  );
}

const states: Readonly<Record<EventDelivery["status"], readonly [name: string, badge: string]>> = {
  pending: ["pending", "badge-processing"],
  delivered: ["delivered", "badge-success"],
  failed: ["failed", "badge-failed"],
  not_configured: ["no address", ""],
};

function DeliveryState({ delivery: { status, attempts, at, error } }: { readonly delivery: EventDelivery }) {
  const [name, badge] = states[status];
  return (
    <>
      <span class={`badge ${badge}`}>{name}</span>
      {at !== null && (
        <span class="second-line">
          {countText(attempts, "attempt")}, the last <Age at={at} />
          {error !== null && (
            <>
              {": "}
              <BreakableText text={error} />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** What happened, in words. */
function describe({ type, data }: OperatorEvent): string {
  const plan = planName(data.plan);
  switch (type) {
    case "plan.requested":
      return `Asks for the plan ${plan}, has ${planName(data.from)}`;
    case "plan.cancelled":
      return `Has cancelled the plan ${plan}, which ends on ${formatUtc(data.ends_at)}`;
    case "plan.downgraded":
      return `Changes from the plan ${planName(data.from)} to ${plan} on ${formatUtc(data.effective_at)}`;
    case "plan.continued":
      return `Keeps the plan ${plan}`;
    case "invoice.closed":
      return `Invoice ${data.number} is final: ${data.total} ${data.currency.toUpperCase()}`;
    case "invoice.overdue":
      return `Invoice ${data.number} is overdue: ${data.total} ${data.currency.toUpperCase()}`;
  }
}
