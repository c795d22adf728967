// A session as the routes answer it.

import { paymentTerms } from "../billing/payment.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { shownUnpaid } from "../payments/unpaid-invoices.ts";
import { optionalVariable } from "../platform/environment.ts";
import type { ListedSession, SessionStateResponse, SignInMethodsResponse } from "./responses.ts";
import type { Session, SessionAccount } from "./session.ts";
import { MAX_SESSION_MS } from "./session-cookie.ts";

/** The session of a request, with its account. */
export function sessionState({
  session,
  account,
}: {
  readonly session: Session;
  readonly account: SessionAccount;
}): ResponseBody<typeof SessionStateResponse> {
  const { id, label, email, plan, requested_plan, quota_alerts, key_alerts, store_thumbnails, created_at } = account;
  const { suspension, scheduled_plan } = account;
  const terms = paymentTerms();
  return {
    account: {
      ...{ id, label, email, plan, requested_plan, quota_alerts, key_alerts, store_thumbnails, created_at },
      scheduled_plan: scheduled_plan ?? null,
      suspension: suspension ? { reason: suspension.reason, at: suspension.at } : null,
      unpaid_invoices: terms ? shownUnpaid(account, terms) : [],
    },
    has_payment_page: optionalVariable("BILLING_URL") !== undefined,
    session: sessionFacts(session),
    sign_in: openSignInMethods(),
  };
}

/** A session in the list of an account. */
export function listedSession(session: Session, currentId: string): ResponseBody<typeof ListedSession> {
  const { id, last_used_at, user_agent, network } = session;
  return {
    ...sessionFacts(session),
    last_used_at: toTimestamp(last_used_at),
    user_agent,
    network,
    is_current: id === currentId,
  };
}

/** Which ways to sign in are open to everyone. */
export function openSignInMethods(): ResponseBody<typeof SignInMethodsResponse> {
  const email = optionalVariable("MAIL_FROM") !== undefined;
  return { email, sign_up: email && optionalVariable("SIGN_UP") === "open" };
}

function sessionFacts({ id, created_at, expires_at, signed_in_with }: Session) {
  return {
    id,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    ends_at: toTimestamp(created_at + MAX_SESSION_MS),
    signed_in_with,
  };
}

function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
