// Reports the first use of a text of an API key to the owner of its account by e-mail, once.
import * as v from "valibot";
import { readKeyRing } from "../account/account-store.ts";
import { type MailDocument, paragraph } from "../mail/mail-document.ts";
import { oneLine } from "../mail/one-line.ts";
import type { Mail } from "../mail/send-mail.ts";
import { writtenMinute } from "../mail/written-dates.ts";
import { cleanUp } from "../platform/clean-up.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { markReported, unmarkReported } from "./first-use-store.ts";

/** A use that may be the first one of its text. */
export const FirstUseSchema = v.object({
  key_id: v.pipe(v.number(), v.safeInteger()),
  key_prefix: v.string(),
  /** SHA-256 of the text. */
  hash: v.string(),
  /** Timestamp of the request, and the address of its sender. */
  at: v.string(),
  ip_address: v.string(),
});
export type FirstUse = v.InferOutput<typeof FirstUseSchema>;

type NoticeResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

/**
 * Reports a use unless one of the same text was reported. An account without an address, or without the setting, isn't notified, then
 * or later. Rejects when the mail can't be sent, so that the queue delivers the message again.
 */
export async function sendFirstUseNotice(
  { accountId, use }: { readonly accountId: number; readonly use: FirstUse },
  { env, send }: { readonly env: NoticeResources; readonly send: (mail: Omit<Mail, "from">) => Promise<void> },
): Promise<void> {
  const { account, keys } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
  const label = keys.find(({ id }) => id === use.key_id)?.label;
  if (label === undefined) return; // the account was deleted and restored meanwhile
  const text = { accountId, hash: use.hash };
  if (!(await markReported(env.USAGE_TABLE, text)) || account.email === null || !account.key_alerts) return;
  try {
    await send({ to: account.email, ...firstUseMail({ ...use, label }, env.BASE_URL) });
  } catch (error) {
    await cleanUp(() => unmarkReported(env.USAGE_TABLE, text), "first use of an API key not unmarked");
    throw error;
  }
  logInfo("first use of an API key reported", { account_id: accountId, api_key_id: use.key_id });
}

/** `baseUrl` is the address of the service, without a trailing slash. */
export function firstUseMail(
  {
    label,
    key_prefix,
    at,
    ip_address,
  }: Pick<FirstUse, "key_prefix" | "at" | "ip_address"> & { readonly label: string },
  baseUrl: string,
): MailDocument<"first-use"> {
  return {
    name: "first-use",
    subject: `Your API key ${key_prefix}… was used for the first time`,
    blocks: [
      paragraph(
        `The API key “${oneLine(label)}” (${key_prefix}…) was used for the first time, on ${writtenMinute(at)}, from the network ` +
          `address ${ip_address}.`,
      ),
      paragraph("If this was your program, there is nothing to do."),
      {
        kind: "button",
        lead: "If it was not, revoke the key",
        label: "See your API keys",
        address: `${baseUrl}/app/keys`,
      },
      { kind: "link", lead: "To stop these e-mails", address: `${baseUrl}/app/account` },
    ],
  };
}
