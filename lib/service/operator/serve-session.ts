// Signs operators in and out, and shows their session.
import { UnauthorizedError } from "../account/authenticate.ts";
import { OPERATOR_ATTEMPTS } from "../aws/table-keys.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { type Environment, optionalVariable } from "../platform/environment.ts";
import type { AddressOptions, CodeOptions, LinkOptions } from "../sessions/email-options.ts";
import { countVisitorsCode, requireMail, sendAfterAnswer, wrongCode } from "../sessions/send-code.ts";
import { cookie, readCookie } from "../sessions/session-cookie.ts";
import { type AttemptLimit, failedSignIns, limitFailures } from "../sessions/sign-in-attempts.ts";
import { CODE_LIFETIME_MS } from "../sessions/sign-in-code.ts";
import { logAudit } from "./audit-log.ts";
import { auditFirst } from "./audited-change.ts";
import { createOperatorCode, redeemOperatorCode } from "./operator-code.ts";
import { redeemOperatorLink } from "./operator-link.ts";
import { operatorCodeMail } from "./operator-mails.ts";
import {
  createOperatorSession,
  csrfTokenOf,
  endOperatorSession,
  OPERATOR_SESSION_MS,
  type OperatorSession,
} from "./operator-session.ts";
import type { OperatorSessionResponse, OperatorSignInMethods } from "./responses.ts";

type SignInVariable = "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "BASE_URL";
type SignInCall<Options> = RouteCall<"page", Options, SignInVariable>;
type SessionResponse = ApiResponse<ResponseBody<typeof OperatorSessionResponse>>;

/** Attempts to sign in as an operator that fail, from one network. */
const failedOperatorSignIns: AttemptLimit = { ...failedSignIns, kind: `${OPERATOR_ATTEMPTS}sign-in` };

/** Whether codes can be sent: the service sends mail, and knows an operator's address. */
export function listOperatorSignInMethods(): ApiResponse<ResponseBody<typeof OperatorSignInMethods>> {
  return json(200, { email: optionalVariable("MAIL_FROM") !== undefined && operatorAddresses().length > 0 });
}

/** Sends a code to an address of an operator. The answer and its time are the same for every other address. */
export async function askForOperatorCode({
  request,
  options: { email },
  env,
}: SignInCall<AddressOptions>): Promise<ApiResponse<never>> {
  requireMail();
  await countVisitorsCode(request, email, env, OPERATOR_ATTEMPTS);
  const { code, browserToken } = await createOperatorCode(env.ACCOUNTS_TABLE, email, request.receivedAt);
  const mail = { to: email, ...operatorCodeMail(code, env.BASE_URL) };
  sendAfterAnswer(request, async () => (operatorAddress(email) === undefined ? undefined : mail));
  const value = cookie("operator-sign-in", { value: browserToken, maxAgeMs: CODE_LIFETIME_MS, baseUrl: env.BASE_URL });
  return { status: 202, headers: { "Set-Cookie": value } };
}

/** Signs an operator in by a code. Throws `UNAUTHORIZED` or `RATE_LIMITED`. */
export async function signInOperatorByCode({
  request,
  options: { email, code },
  env,
}: SignInCall<CodeOptions>): Promise<SessionResponse> {
  requireMail();
  const browserToken = readCookie(request.cookies, "operator-sign-in", env.BASE_URL);
  if (browserToken === undefined) throw wrongCode();
  const prove = async () => {
    const sent = { code, browserToken };
    const redemption = await redeemOperatorCode(env.ACCOUNTS_TABLE, email, sent, request.receivedAt);
    if (!redemption.isProven) throw wrongCode(redemption.triesLeft);
    const address = operatorAddress(email);
    if (address === undefined) throw wrongCode(); // a code that was not sent, or the address is no operator's any more
    return address;
  };
  const address = await limitFailures(env.USAGE_TABLE, request, prove, failedOperatorSignIns);
  return startOperatorSession(request, { name: address, email: address }, env);
}

/** Signs an operator in by a one-time link. Throws `UNAUTHORIZED` or `RATE_LIMITED`. */
export async function signInOperatorByLink({
  request,
  options: { token },
  env,
}: SignInCall<LinkOptions>): Promise<SessionResponse> {
  const prove = async () => {
    const name = await redeemOperatorLink(env.ACCOUNTS_TABLE, token, request.receivedAt);
    if (name !== undefined) return name;
    throw new UnauthorizedError("unknown", "This link does not sign you in. It works once, within 15 minutes.");
  };
  const name = await limitFailures(env.USAGE_TABLE, request, prove, failedOperatorSignIns);
  return startOperatorSession(request, { name, email: null }, env);
}

/**
 * Starts a session in place of the one that the browser had, and answers with its cookie. The token is always new, so that it cannot be
 * chosen for another person (session fixation).
 */
async function startOperatorSession(
  request: ApiRequest,
  who: Pick<OperatorSession, "name" | "email">,
  env: Pick<Environment, SignInVariable>,
): Promise<SessionResponse> {
  const { receivedAt: now, sourceIp, cookies } = request;
  const { session, token } = await createOperatorSession(env.ACCOUNTS_TABLE, who, now);
  const actor = { operator: session.name, from: sourceIp };
  await auditFirst(
    { activityTable: env.ACTIVITY_TABLE, actor, now, onStored: logAudit },
    { action: "operator.signed_in", details: { by: session.email === null ? "link" : "code" } },
  );
  const previous = readCookie(cookies, "operator", env.BASE_URL);
  if (previous !== undefined) await endOperatorSession(env.ACCOUNTS_TABLE, previous, now);
  const value = cookie("operator", { value: token, maxAgeMs: OPERATOR_SESSION_MS, baseUrl: env.BASE_URL });
  return json(201, sessionState({ session, token }), { "Set-Cookie": value });
}

/** The session of the request. */
export function getOperatorSession({ operator }: RouteCall<"operator">): SessionResponse {
  return json(200, sessionState(operator));
}

/** Signs the operator out. */
export async function signOutOperator({ request, operator, env }: RouteCall<"operator">): Promise<ApiResponse<never>> {
  await endOperatorSession(env.ACCOUNTS_TABLE, operator.token, request.receivedAt);
  const value = cookie("operator", { value: "", maxAgeMs: 0, baseUrl: env.BASE_URL });
  return { status: 204, headers: { "Set-Cookie": value } };
}

function sessionState({
  session,
  token,
}: {
  readonly session: OperatorSession;
  readonly token: string;
}): ResponseBody<typeof OperatorSessionResponse> {
  return {
    operator: { email: session.email },
    csrf_token: csrfTokenOf(token),
    expires_at: new Date(session.expires_at).toISOString(),
    stage: optionalVariable("STAGE_NAME") ?? "",
    shows_pictures: optionalVariable("OPERATOR_PICTURES") === "shown",
  };
}

/** The address of an operator as the stage has it; undefined for another one. */
function operatorAddress(email: string): string | undefined {
  return operatorAddresses().find((address) => address.toLowerCase() === email.toLowerCase());
}

function operatorAddresses(): readonly string[] {
  const listed = optionalVariable("OPERATOR_ADDRESSES") ?? "";
  return listed.split(",").filter((address) => address !== "");
}
