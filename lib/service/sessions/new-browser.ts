// Mails the owner of an account that it was signed in to in a browser that was not used for it before.
import type { ApiRequest } from "../http/api-request.ts";
import type { Mail } from "../mail/send-mail.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { newBrowserMail } from "./address-mails.ts";
import { browserName } from "./browser-name.ts";
import { accountSubject } from "./known-browser.ts";
import { findKnownBrowser, knownBrowserCookie } from "./known-browser-cookie.ts";
import { shortenAddress } from "./network-address.ts";
import { sendAfterAnswer } from "./send-code.ts";
import type { Session, SessionAccount } from "./session.ts";
import { type AttemptLimit, isAttemptAllowed } from "./sign-in-attempts.ts";
import { createReportLink, lastReport } from "./sign-in-reports.ts";

type Resources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

/** Mails about new browsers to one account: who has an API key could sign in with it again and again. */
const newBrowserMails: AttemptLimit = { kind: "new-browser", limit: 10, windowSeconds: 24 * 60 * 60 };

export interface SignedInBrowser extends Pick<Session, "signed_in_with"> {
  readonly account: Pick<SessionAccount, "id" | "email">;
  /** The address that its user has just proven by a code. */
  readonly provenAddress?: string;
  /** True for the sign-up that opened the account. */
  readonly isNewAccount?: boolean;
}

/**
 * Returns the `Set-Cookie` header by which the browser that has signed in is known from now on. If it was not, the account's address
 * gets a mail after the answer.
 */
export async function rememberBrowser(
  request: ApiRequest,
  { account, signed_in_with, provenAddress, isNewAccount = false }: SignedInBrowser,
  env: Resources,
): Promise<string> {
  // A link of the operator is for the owner, who has the address.
  const address = provenAddress ?? (signed_in_with === "link" ? account.email : null);
  const subjects = [accountSubject(account.id), ...(address === null ? [] : [address])];
  if (account.email !== null && !isNewAccount && !(await isKnown(request, { accountId: account.id, subjects }, env))) {
    const to = account.email;
    sendAfterAnswer(request, () => composeMail(request, { accountId: account.id, to, signed_in_with }, env));
  }
  return knownBrowserCookie(request, subjects, env);
}

async function isKnown(
  request: ApiRequest,
  { accountId, subjects }: { readonly accountId: number; readonly subjects: readonly string[] },
  env: Resources,
): Promise<boolean> {
  const found = await Promise.all(subjects.map((subject) => findKnownBrowser(request, subject, env)));
  const since = Math.max(...found.map((browser) => browser?.since ?? 0));
  return since > 0 && since > (await lastReport(env.ACCOUNTS_TABLE, accountId));
}

/** Undefined where no mail is sent, or when the account has had too many of these mails. */
async function composeMail(
  { receivedAt: now, headers, sourceIp }: ApiRequest,
  { accountId, to, signed_in_with }: { accountId: number; to: string } & Pick<Session, "signed_in_with">,
  { ACCOUNTS_TABLE, USAGE_TABLE, BASE_URL }: Resources,
): Promise<Omit<Mail, "from"> | undefined> {
  if (optionalVariable("MAIL_FROM") === undefined) return undefined;
  if (!(await isAttemptAllowed(USAGE_TABLE, newBrowserMails, { subject: String(accountId), now }))) return undefined;
  const link = await createReportLink(ACCOUNTS_TABLE, { accountId, now });
  const browser = browserName(headers["user-agent"] ?? null);
  const facts = { accountId, now, browser, network: shortenAddress(sourceIp), signed_in_with, ...link };
  return { to, ...newBrowserMail(facts, BASE_URL) };
}
