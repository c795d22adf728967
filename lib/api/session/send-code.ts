// Sends codes by e-mail, and checks them.
import { UnauthorizedError } from "../../accounts/authenticate.ts";
import { ApiError } from "../../errors/api-error.ts";
import { type Environment, optionalVariable } from "../../platform/environment.ts";
import { logError } from "../../platform/log.ts";
import { limitedNetwork } from "../../sessions/network-address.ts";
import { cookie, readCookie } from "../../sessions/session-cookie.ts";
import { type AttemptLimit, countAttempt, failedSignIns } from "../../sessions/sign-in-attempts.ts";
import { CODE_LIFETIME_MS, type CodeClaim, createCode, redeemCode } from "../../sessions/sign-in-code.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { ApiResponse } from "../http/response.ts";

export type CodeResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE" | "BASE_URL">;

/** Codes for one address, and codes that one network asks for. Both count also where no mail is sent. */
const codesPerAddress: AttemptLimit = { kind: "code-address", limit: 5, windowSeconds: 60 * 60 };
const codesPerNetwork: AttemptLimit = { kind: "code-network", limit: 60, windowSeconds: 60 * 60 };

/**
 * Answers 202 with a cookie that binds the code to the browser, and sends the code after that, if `isWanted`: neither the
 * answer nor its time tells the outcome. Throws `NOT_FOUND` where no mail is configured, or `RATE_LIMITED`.
 */
export async function sendCode(
  request: ApiRequest,
  { isWanted, ...claim }: CodeClaim & { readonly isWanted: () => Promise<boolean> },
  { ACCOUNTS_TABLE, USAGE_TABLE, BASE_URL }: CodeResources,
): Promise<ApiResponse<never>> {
  const from = requireMail();
  const { receivedAt: now, sourceIp } = request;
  await countAttempt(USAGE_TABLE, codesPerNetwork, { subject: limitedNetwork(sourceIp), now });
  await countAttempt(USAGE_TABLE, codesPerAddress, { subject: claim.email.toLowerCase(), now });
  const { code, browserToken } = await createCode(ACCOUNTS_TABLE, claim, now);
  const send = async () => {
    if (!(await isWanted())) return;
    const { sendMail } = await import("../../mail/send-mail.ts"); // loaded while the browser has its answer already
    await sendMail({ from, to: claim.email, ...codeMail(code, BASE_URL) });
  };
  request.afterwards.push(
    afterAnswer()
      .then(send)
      .catch((error) => logError("mail not sent", error)),
  );
  const value = cookie("sign-in", { value: browserToken, maxAgeMs: CODE_LIFETIME_MS, baseUrl: BASE_URL });
  return { status: 202, headers: { "Set-Cookie": value } };
}

/** Checks the code that a browser sends. Throws `UNAUTHORIZED` or `RATE_LIMITED`. */
export async function requireCode(
  request: ApiRequest,
  { code, ...claim }: CodeClaim & { readonly code: string },
  { ACCOUNTS_TABLE, USAGE_TABLE, BASE_URL }: CodeResources,
): Promise<void> {
  requireMail();
  const { receivedAt: now, sourceIp, cookies } = request;
  const attempt = await countAttempt(USAGE_TABLE, failedSignIns, { subject: limitedNetwork(sourceIp), now });
  const browserToken = readCookie(cookies, "sign-in", BASE_URL);
  const isProven = browserToken !== undefined && (await redeemCode(ACCOUNTS_TABLE, claim, { code, browserToken }, now));
  if (!isProven) throw wrongCode();
  await attempt.forget();
}

/** One message for every reason. */
export function wrongCode(): UnauthorizedError {
  return new UnauthorizedError(
    "unknown",
    "This code is not valid. It works for 10 minutes and 5 tries, in the browser that asked for it. Ask for another one.",
  );
}

function requireMail(): string {
  const from = optionalVariable("MAIL_FROM");
  if (from === undefined)
    throw new ApiError("NOT_FOUND", "This service sends no e-mail. Sign in by a link or an API key.");
  return from;
}

/** Resolves once the answer is being sent, so that the look-up does not compete with it. */
function afterAnswer(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function codeMail(code: string, baseUrl: string) {
  return {
    subject: `${code} is your sign-in code`,
    text:
      `Your code is ${code}\n\nEnter it on the page of ${baseUrl}/app/sign-in where you asked for it, within 10 minutes.\n` +
      "Nobody who works for the service asks you for this code.\n\nIf you did not ask for it, ignore this mail.\n",
  };
}
