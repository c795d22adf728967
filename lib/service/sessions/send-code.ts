// Sends codes by e-mail, and checks them.

import { ApiError } from "../../contract/errors/api-error.ts";
import { UnauthorizedError } from "../account/authenticate.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { ApiResponse } from "../http/response.ts";
import type { Mail } from "../mail/send-mail.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import type { MailText } from "./address-mails.ts";
import { findKnownBrowser } from "./known-browser-cookie.ts";
import { limitedNetwork } from "./network-address.ts";
import { cookie, readCookie } from "./session-cookie.ts";
import { type AttemptLimit, countAttempt, failedSignIns } from "./sign-in-attempts.ts";
import { CODE_LIFETIME_MS, type CodeClaim, createCode, redeemCode } from "./sign-in-code.ts";

export type CodeResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

const HOUR_S = 60 * 60;

/**
 * Limits of codes. They count also where no mail is sent. What strangers can use up is strict for one network, and loose for an
 * address from all networks together, so that others cannot cheaply keep its owner from signing in. A browser that has
 * signed in to the address before has a limit of its own, and so has an account for its own address.
 */
const codesPerNetwork: AttemptLimit = { kind: "code-network", limit: 60, windowSeconds: HOUR_S };
const codesPerAddressAndNetwork: AttemptLimit = { kind: "code-address-network", limit: 5, windowSeconds: HOUR_S };
const codesPerAddress: AttemptLimit = { kind: "code-address", limit: 20, windowSeconds: HOUR_S };
const codesPerBrowser: AttemptLimit = { kind: "code-browser", limit: 20, windowSeconds: HOUR_S };
const codesPerAccount: AttemptLimit = { kind: "code-account", limit: 10, windowSeconds: HOUR_S };

export interface CodeRequest extends CodeClaim {
  /** Whether the mail is sent. Read after the answer. */
  readonly isWanted: () => Promise<boolean>;
  readonly mail: (code: string, baseUrl: string) => MailText;
  /** The account that asks for a code to its own address. */
  readonly ofAccount?: number;
}

/**
 * Answers 202 with a cookie that binds the code to the browser, and sends the code after that, if `isWanted`: neither the
 * answer nor its time shows the outcome. Throws `NOT_FOUND` where no mail is configured, or `RATE_LIMITED`.
 */
export async function sendCode(
  request: ApiRequest,
  { isWanted, mail, ofAccount, ...claim }: CodeRequest,
  env: CodeResources,
): Promise<ApiResponse<never>> {
  const { ACCOUNTS_TABLE, BASE_URL } = env;
  requireMail();
  await countCode(request, { email: claim.email, ofAccount }, env);
  const { code, browserToken } = await createCode(ACCOUNTS_TABLE, claim, request.receivedAt);
  sendAfterAnswer(request, async () => ((await isWanted()) ? { to: claim.email, ...mail(code, BASE_URL) } : undefined));
  const value = cookie("sign-in", { value: browserToken, maxAgeMs: CODE_LIFETIME_MS, baseUrl: BASE_URL });
  return { status: 202, headers: { "Set-Cookie": value } };
}

async function countCode(
  request: ApiRequest,
  { email, ofAccount }: { readonly email: string; readonly ofAccount: number | undefined },
  env: CodeResources,
): Promise<void> {
  const { receivedAt: now, sourceIp } = request;
  const count = (limit: AttemptLimit, subject: string) => countAttempt(env.USAGE_TABLE, limit, { subject, now });
  const address = email.toLowerCase();
  const network = limitedNetwork(sourceIp);
  if (ofAccount !== undefined) return void (await count(codesPerAccount, String(ofAccount)));
  const browser = await findKnownBrowser(request, email, env);
  if (browser) return void (await count(codesPerBrowser, `${browser.id} ${address}`));
  await count(codesPerNetwork, network);
  await count(codesPerAddressAndNetwork, `${address} ${network}`);
  await count(codesPerAddress, address);
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
  const { receivedAt: now, sourceIp, cookies } = request;
  // A known browser can ask for few codes, each with five tries, so others of its network cannot use up its attempts.
  const isKnown = (await findKnownBrowser(request, claim.email, env)) !== undefined;
  const subject = limitedNetwork(sourceIp);
  const attempt = isKnown ? undefined : await countAttempt(env.USAGE_TABLE, failedSignIns, { subject, now });
  const browserToken = readCookie(cookies, "sign-in", env.BASE_URL);
  if (browserToken === undefined) throw wrongCode();
  const redemption = await redeemCode(env.ACCOUNTS_TABLE, claim, { code, browserToken }, now);
  if (!redemption.isProven) throw wrongCode(redemption.triesLeft);
  await attempt?.forget();
}

/** The error of a code that is wrong, or with no tries left void; one message for every reason of the latter. */
export function wrongCode(triesLeft = 0): UnauthorizedError {
  const message =
    triesLeft > 0
      ? `This code is wrong. ${triesLeft === 1 ? "One try is" : `${triesLeft} tries are`} left.`
      : "This code is not valid. It works for 10 minutes and 5 tries, in the browser that asked for it. Ask for another one.";
  return new UnauthorizedError("unknown", message, { tries_left: triesLeft });
}

function requireMail(): void {
  if (optionalVariable("MAIL_FROM") === undefined)
    throw new ApiError("NOT_FOUND", "This service sends no e-mail. Sign in by a link or an API key.");
}
