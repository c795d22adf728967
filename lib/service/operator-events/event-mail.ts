// Tells the operator by e-mail what owners ask for or change of their plans, and which invoices were not paid in time.
import type * as v from "valibot";
import { plans } from "../../contract/plans.ts";
import { readKeyRing } from "../account/account-store.ts";
import { sendForAccount } from "../aws/account-queue.ts";
import { EVENT_MAILS } from "../aws/table-keys.ts";
import { type Fact, type MailDocument, paragraph } from "../mail/mail-document.ts";
import { oneLine } from "../mail/one-line.ts";
import type { Mail } from "../mail/send-mail.ts";
import { writtenDay } from "../mail/written-dates.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { type AttemptLimit, isAttemptAllowed } from "../sessions/sign-in-attempts.ts";
import type { MailOutcome } from "./event-store.ts";
import { type OperatorEvent, OperatorEventSchema } from "./operator-event.ts";

/** Mails of a day about what the owner of one account does. Further events are stored and sent as webhooks only. */
const ownerMails: AttemptLimit = { kind: EVENT_MAILS, limit: 5, windowSeconds: 24 * 60 * 60 };

/** The part of a queued notice that is about an event. */
export const MailedEventSchema = OperatorEventSchema;
type MailedEvent = v.InferOutput<typeof MailedEventSchema>;

/**
 * Queues the mail about an event at `now` (milliseconds since 1970), unless its type has none, the account has caused as many today as it
 * may, or the stage sends no mail. Resolves to what became of it. Rejects when it can't be queued.
 */
export async function queueEventMail(
  event: OperatorEvent,
  { USAGE_TABLE }: Pick<Environment, "USAGE_TABLE">,
  now: number,
): Promise<MailOutcome> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl === undefined || event.type === "invoice.closed") return "none";
  const { account_id } = event;
  const isByOwner = event.type !== "invoice.overdue";
  if (isByOwner && !(await isAttemptAllowed(USAGE_TABLE, ownerMails, { subject: String(account_id), now })))
    return "over_limit";
  await sendForAccount(queueUrl, { account_id, operator_event: event });
  return "queued";
}

/** Sends the mail about an event, unless it is a request that was withdrawn, changed, or fulfilled meanwhile. */
export async function sendEventMail(
  event: MailedEvent,
  {
    accountsTable,
    operator,
    send,
  }: {
    readonly accountsTable: string;
    /** Address of the operator. */
    readonly operator: string;
    readonly send: (mail: Omit<Mail, "from">) => Promise<void>;
  },
): Promise<void> {
  const { type, account_id, id } = event;
  if (type === "plan.requested") {
    const { account } = await readKeyRing(accountsTable, account_id);
    if (account.requested_plan !== event.data.plan) return;
  }
  await send({ to: operator, ...operatorEventMail(event) });
  logInfo("event mailed to the operator", { account_id, operator_event: id, type });
}

/** The mail for the operator. The label is the customer's, so it is in the facts only. */
export function operatorEventMail(event: OperatorEvent): MailDocument<"operator-event"> {
  const { subject, heading, facts, command } = describe(event);
  const { label, email } = event.data.account;
  const ofAccount: readonly Fact[] = [
    ["Account", String(event.account_id)],
    ["Name", oneLine(label)],
    ["E-mail address", email ?? "none"],
  ];
  return {
    name: "operator-event",
    subject,
    heading,
    blocks: [
      paragraph(`${subject}.`),
      { kind: "facts", facts: [...ofAccount, ...facts] },
      ...(command === undefined ? [] : [{ kind: "command", lead: "To accept it", command } as const]),
    ],
  };
}

interface Description {
  readonly subject: string;
  readonly heading: string;
  readonly facts: readonly Fact[];
  /** Does what is asked for. */
  readonly command?: string;
}

function describe({ type, account_id, data }: OperatorEvent): Description {
  const plan = plans[data.plan].label;
  switch (type) {
    case "plan.requested":
      return {
        subject: `Account ${account_id} asks for the plan ${plan}`,
        heading: "A request for another plan",
        facts: [
          ["Present plan", plans[data.from].label],
          ["Requested plan", plan],
        ],
        command: `npm run accounts -- plan --account ${account_id} --plan ${data.plan}`,
      };
    case "plan.cancelled":
      return {
        subject: `Account ${account_id} has cancelled the plan ${plan}`,
        heading: "A plan was cancelled",
        facts: [
          ["Plan", plan],
          ["Ends", writtenDay(data.ends_at)],
        ],
      };
    case "plan.downgraded":
      return {
        subject: `Account ${account_id} changes from the plan ${plans[data.from].label} to ${plan}`,
        heading: "A change to a smaller plan",
        facts: [
          ["Present plan", plans[data.from].label],
          ["Next plan", plan],
          ["From", writtenDay(data.effective_at)],
        ],
      };
    case "plan.continued":
      return {
        subject: `Account ${account_id} keeps the plan ${plan}`,
        heading: "A plan continues",
        facts: [["Plan", plan]],
      };
    case "invoice.closed":
    case "invoice.overdue":
      return {
        subject: `The invoice ${data.number} of account ${account_id} is ${type === "invoice.closed" ? "final" : "overdue"}`,
        heading: type === "invoice.closed" ? "An invoice is final" : "An invoice is overdue",
        facts: [
          ["Plan", plan],
          ["Period", `${writtenDay(data.period.start)} to ${writtenDay(data.period.end)}`],
          ["Total", `${data.total} ${data.currency.toUpperCase()}`],
        ],
      };
  }
}
