// Tells the owner of an account by e-mail that it was suspended or resumed.
import * as v from "valibot";
import { sendForAccount } from "../aws/account-queue.ts";
import { type MailDocument, paragraph } from "../mail/mail-document.ts";
import { oneLine } from "../mail/one-line.ts";
import type { NoticeSender } from "../mail/send-mail.ts";
import { writtenMinute } from "../mail/written-dates.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { askOperator } from "../platform/operator-identity.ts";
import type { Account } from "./account.ts";
import { readKeyRing } from "./account-store.ts";

export const SuspensionNoticeSchema = v.object({ state: v.picklist(["suspended", "resumed"]) });
export type SuspensionNotice = v.InferOutput<typeof SuspensionNoticeSchema>;

/** Queues the mail. Does nothing where no mail is configured. */
export async function queueSuspensionNotice(accountId: number, suspension: SuspensionNotice): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl !== undefined) await sendForAccount(queueUrl, { account_id: accountId, suspension });
}

/**
 * Sends the mail, unless the account has no address, or its state has changed since. Rejects when it can't be sent, so that the queue
 * delivers the message again.
 */
export async function sendSuspensionNotice(
  { accountId, notice: { state } }: { readonly accountId: number; readonly notice: SuspensionNotice },
  { accountsTable, baseUrl, send }: NoticeSender,
): Promise<void> {
  const { account } = await readKeyRing(accountsTable, accountId);
  const isSuspended = account.suspension !== undefined;
  if (account.email === null || isSuspended !== (state === "suspended")) return;
  await send({ to: account.email, ...suspensionMail(account, baseUrl) });
  logInfo("suspension reported", { account_id: accountId, state });
}

/** `baseUrl` is the address of the service, without a trailing slash. */
export function suspensionMail(
  { id, suspension }: Pick<Account, "id" | "suspension">,
  baseUrl: string,
): MailDocument<"suspended" | "resumed"> {
  return suspension ? suspendedMail(id, suspension, baseUrl) : resumedMail(id, baseUrl);
}

function resumedMail(id: number, baseUrl: string): MailDocument<"resumed"> {
  return {
    name: "resumed",
    subject: "Your account works again",
    blocks: [
      paragraph(`The account ${id} at ${baseUrl} is not suspended any more.`),
      paragraph(
        "Your API keys, links, and webhooks work as before. Webhooks that waited are being sent. Captures that had not ended were not " +
          "billed; send them again if you need them.",
      ),
    ],
  };
}

function suspendedMail(
  id: number,
  { reason, at }: NonNullable<Account["suspension"]>,
  baseUrl: string,
): MailDocument<"suspended"> {
  return {
    name: "suspended",
    subject: "Your account is suspended",
    blocks: [
      paragraph(`The operator has suspended the account ${id} at ${baseUrl}, on ${writtenMinute(at)}.`),
      paragraph(`The reason: ${oneLine(reason)}`),
      paragraph(
        "Nothing is deleted. Your API keys, links, and webhooks don't work until the account is resumed; webhooks of captures that have " +
          "ended are sent then.",
      ),
      {
        kind: "button",
        lead: "You can still sign in, see your invoices, export your data, and delete the account",
        label: "Open your account",
        address: `${baseUrl}/app`,
      },
      paragraph(`To have the account resumed, ${askOperator()}.`),
    ],
  };
}
