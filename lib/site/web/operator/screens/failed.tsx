// Asynchronous captures and webhooks that failed because of the service: their messages are kept, and can be tried again.
import { useState } from "preact/hooks";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { countText } from "../../ui/format.ts";
import { useSend } from "../../ui/frame.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { formatAge } from "../ages.ts";
import type { FailedMessages, FailedQueue, FailedRender, FailedWebhook, Retried } from "../answers.ts";
import { API } from "../requests.ts";

const queues: readonly {
  readonly queue: FailedQueue;
  readonly title: string;
  readonly noun: string;
  readonly empty: string;
  readonly meaning: string;
}[] = [
  {
    queue: "renders",
    title: "Jobs",
    noun: "job",
    empty: "No asynchronous capture has failed because of the service.",
    meaning: "They are rendered again, and their accounts are billed for what succeeds.",
  },
  {
    queue: "webhooks",
    title: "Webhooks",
    noun: "webhook",
    empty: "No webhook has failed because of the service.",
    meaning: "They are sent to their receivers again, with a new signature.",
  },
];

export function FailedScreen() {
  const failed = useResource<FailedMessages>(`${API}/failed`);
  const [open, setOpen] = useState<FailedQueue>();
  const [outcome, setOutcome] = useState<string>();
  const send = useSend();
  if (!failed.data) {
    return failed.error ? (
      <Notice problem={failed.error} retry={failed.reload} />
    ) : (
      <ListSkeleton rows={6} label="Failed messages are being read." />
    );
  }
  const { data } = failed;
  const retry = async (queue: FailedQueue, noun: string) => {
    const { outcomes } = await send<Retried>("POST", `${API}/failed/retry`, { queue });
    setOutcome(describeOutcomes(outcomes, noun));
    failed.reload();
  };
  return (
    <>
      <p role="status" class="outcome">
        {outcome}
      </p>
      {queues.map(({ queue, title, noun, empty, meaning }) => (
        <section key={queue}>
          <div class="section-head">
            <h2>{title}</h2>
            {data[queue].length > 0 && (
              <button type="button" aria-haspopup="dialog" onClick={() => setOpen(queue)}>
                Retry {countText(data[queue].length, noun)}…
              </button>
            )}
          </div>
          {data[queue].length === 0 ? <p class="note">{empty}</p> : <MessageTable messages={data[queue]} />}
          {open === queue && (
            <ActionDialog
              title={`Retry ${countText(data[queue].length, noun)}?`}
              answer="Retry"
              act={() => retry(queue, noun)}
              onClose={() => setOpen(undefined)}
            >
              <p>{meaning} Retry once what has made them fail is repaired.</p>
            </ActionDialog>
          )}
        </section>
      ))}
    </>
  );
}

function MessageTable({ messages }: { readonly messages: readonly (FailedRender | FailedWebhook)[] }) {
  return (
    <table class="dense">
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col">State</th>
          <th scope="col" class="wide">
            Account
          </th>
          <th scope="col" class="number">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message, index) => (
          <tr key={index}>
            <th scope="row">
              {message.request_id === null ? (
                "unknown"
              ) : (
                <a href={addressOf(`requests/${message.request_id}`)}>{message.request_id}</a>
              )}
              <span class="second-line">
                <BreakableText text={detailOf(message)} />
              </span>
              <span class="second-line narrow">
                Account <AccountLink id={message.account_id} />
              </span>
            </th>
            <td>
              <State message={message} />
            </td>
            <td class="wide">
              <AccountLink id={message.account_id} />
            </td>
            <td class="number">{formatAge(message.age_seconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How many are tried again, and why others are not. */
function describeOutcomes(outcomes: Retried["outcomes"], noun: string): string {
  const groups = [...Map.groupBy(outcomes, ({ outcome }) => outcome)];
  return groups
    .map(([outcome, { length }]) =>
      outcome === "queued"
        ? `${countText(length, noun)} ${length === 1 ? "is" : "are"} tried again.`
        : `${countText(length, noun)} not: ${outcome}.`,
    )
    .join(" ");
}

function State({ message }: { readonly message: FailedRender | FailedWebhook }) {
  const state = "webhook_status" in message ? message.webhook_status : message.status;
  return state === null ? "–" : <span class="badge">{state}</span>;
}

/** Why a job has failed, and which receiver a webhook goes to. */
function detailOf(message: FailedRender | FailedWebhook): string {
  if ("error" in message) return message.error ?? "";
  return [message.kind, message.receiver_id].filter((each) => each !== null).join(" ");
}

function AccountLink({ id }: { readonly id: number | null }) {
  return id === null ? <>unknown</> : <a href={addressOf(`accounts/${id}`)}>{id}</a>;
}
