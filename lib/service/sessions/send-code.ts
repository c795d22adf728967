// Sends codes by e-mail, and checks them.

import { ApiError } from "../../contract/errors/api-error.ts";
import { UnauthorizedError } from "../account/authenticate.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { ApiResponse } from "../http/response.ts";
import { mailboxOf } from "../mail/addresses.ts";
import type { MailDocument } from "../mail/mail-document.ts";
import type { Mail } from "../mail/send-mail.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import { findKnownBrowser } from "./known-browser-cookie.ts";
import { limitedNetwork, siteNetwork } from "./network-address.ts";
import { cookie, readCookie } from "./session-cookie.ts";
import { type AttemptLimit, countAttempt, limitFailures } from "./sign-in-attempts.ts";
import { CODE_LIFETIME_MS, type CodeClaim, createCode, redeemCode } from "./sign-in-code.ts";

export type CodeResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/**
 * Limits of codes. They count also where no mail is sent. What strangers can use up is strict for a mailbox from one network and from one
 * site (a /48 of IPv6), and loose for the mailbox from all networks together, so that others cannot cheaply keep its owner from signing
 * in, and can send few mails to it in a day. A browser that has signed in to the address before has a limit of its own. An account
 * has one for its own address, and the new addresses of accounts have theirs, so that visitors can't keep owners from changing an address.
 */
const codesPerNetwork: AttemptLimit = { kind: "code-network", limit: 60, windowSeconds: HOUR_S };
const codesPerSite: AttemptLimit = { kind: "code-site", limit: 120, windowSeconds: HOUR_S };
const codesPerMailboxAndNetwork: AttemptLimit = { kind: "code-mailbox-network", limit: 5, windowSeconds: HOUR_S };
const codesPerMailboxAndSite: AttemptLimit = { kind: "code-mailbox-site", limit: 10, windowSeconds: HOUR_S };
const codesPerMailbox: AttemptLimit = { kind: "code-mailbox", limit: 20, windowSeconds: HOUR_S };
const codesPerMailboxAndDay: AttemptLimit = { kind: "code-mailbox-day", limit: 60, windowSeconds: DAY_S };
const codesPerBrowser: AttemptLimit = { kind: "code-browser", limit: 20, windowSeconds: HOUR_S };
const codesPerAccount: AttemptLimit = { kind: "code-account", limit: 10, windowSeconds: HOUR_S };
const codesPerNewAddress: AttemptLimit = { kind: "code-new-address", limit: 20, windowSeconds: DAY_S };

export interface CodeRequest extends CodeClaim {
  /** Whether the mail is sent. Read after the answer. */
  readonly isWanted: () => Promise<boolean>;
  readonly mail: (code: string, baseUrl: string) => MailDocument;
  /** The account whose owner asks, for the address that it has or for a new one. */
  readonly byAccount?: RequestingAccount;
}

interface RequestingAccount {
  readonly id: number;
  readonly isOwnAddress: boolean;
}

/**
 * Answers 202 with a cookie that binds the code to the browser, and sends the code after that, if `isWanted`: neither the
 * answer nor its time shows the outcome. Throws `NOT_FOUND` where no mail is configured, or `RATE_LIMITED`.
 */
export async function sendCode(
  request: ApiRequest,
  { isWanted, mail, byAccount, ...claim }: CodeRequest,
  env: CodeResources,
): Promise<ApiResponse<never>> {
  const { ACCOUNTS_TABLE, BASE_URL } = env;
  requireMail();
  await countCode(request, { email: claim.email, byAccount }, env);
  const { code, browserToken } = await createCode(ACCOUNTS_TABLE, claim, request.receivedAt);
  sendAfterAnswer(request, async () => ((await isWanted()) ? { to: claim.email, ...mail(code, BASE_URL) } : undefined));
  const value = cookie("sign-in", { value: browserToken, maxAgeMs: CODE_LIFETIME_MS, baseUrl: BASE_URL });
  return { status: 202, headers: { "Set-Cookie": value } };
}

async function countCode(
  request: ApiRequest,
  { email, byAccount }: { readonly email: string; readonly byAccount: RequestingAccount | undefined },
  env: CodeResources,
): Promise<void> {
  const { receivedAt: now } = request;
  const count = (limit: AttemptLimit, subject: string) => countAttempt(env.USAGE_TABLE, limit, { subject, now });
  const mailbox = mailboxOf(email); // other spellings of an address fill the same mailbox
  if (byAccount) {
    await count(codesPerAccount, String(byAccount.id));
    if (!byAccount.isOwnAddress) await count(codesPerNewAddress, mailbox);
    return;
  }
  const browser = await findKnownBrowser(request, email, env);
  if (browser) return void (await count(codesPerBrowser, `${browser.id} ${mailbox}`));
  await countVisitorsCode(request, email, env);
}

/**
 * Counts a code for an address that an unknown browser asks for. `kindPrefix` is that of the kinds of attempts, for codes that are counted
 * apart from those of customers. Throws `RATE_LIMITED`.
 */
export async function countVisitorsCode(
  { receivedAt: now, sourceIp }: Pick<ApiRequest, "receivedAt" | "sourceIp">,
  email: string,
  { USAGE_TABLE }: Pick<CodeResources, "USAGE_TABLE">,
  kindPrefix = "",
): Promise<void> {
  const [mailbox, network, site] = [mailboxOf(email), limitedNetwork(sourceIp), siteNetwork(sourceIp)];
  const count = ({ kind, ...limit }: AttemptLimit, subject: string) =>
    countAttempt(USAGE_TABLE, { kind: `${kindPrefix}${kind}`, ...limit }, { subject, now });
  await count(codesPerNetwork, network);
  if (site !== undefined) await count(codesPerSite, site);
  await count(codesPerMailboxAndNetwork, `${mailbox} ${network}`);
  if (site !== undefined) await count(codesPerMailboxAndSite, `${mailbox} ${site}`);
  await count(codesPerMailbox, mailbox);
  await count(codesPerMailboxAndDay, mailbox);
}

/** Sends the mail that `compose` resolves to once the answer is sent, so that the look-up does not compete with it; nothing when it resolves to undefined. */
export function sendAfterAnswer(
  request: Pick<ApiRequest, "afterResponse">,
  compose: () => Promise<Omit<Mail, "from"> | undefined>,
): void {
  const send = async () => {
    const mail = await compose();
    const from = optionalVariable("MAIL_FROM");
    if (mail === undefined || from === undefined) return;
    const { sendMail } = await import("../mail/send-mail.ts"); // loaded while the browser has its answer already
    await sendMail({ from, ...mail });
  };
  request.afterResponse(send, "mail not sent");
}

/** Checks the code that a browser sends. Throws `UNAUTHORIZED` or `RATE_LIMITED`. */
export async function requireCode(
  request: ApiRequest,
  { code, ...claim }: CodeClaim & { readonly code: string },
  env: CodeResources,
): Promise<void> {
  requireMail();
  const browserToken = readCookie(request.cookies, "sign-in", env.BASE_URL);
  if (browserToken === undefined) throw wrongCode();
  await limitFailures(env.USAGE_TABLE, request, async () => {
    const redemption = await redeemCode(env.ACCOUNTS_TABLE, claim, { code, browserToken }, request.receivedAt);
    if (!redemption.isProven) throw wrongCode(redemption.triesLeft);
  });
}

/** The error of a code that is wrong, or with no tries left void; one message for every reason of the latter. */
export function wrongCode(triesLeft = 0): UnauthorizedError {
  const message =
    triesLeft > 0
      ? `This code is wrong. ${triesLeft === 1 ? "One try is" : `${triesLeft} tries are`} left.`
      : "This code is not valid. It works for 10 minutes and 5 tries, in the browser that asked for it. Ask for another one.";
  return new UnauthorizedError("unknown", message, { tries_left: triesLeft });
}

/** Throws `NOT_FOUND` where no mail is configured. */
export function requireMail(): void {
  if (optionalVariable("MAIL_FROM") === undefined)
    throw new ApiError("NOT_FOUND", "This service sends no e-mail. Sign in by a link or an API key.");
}
