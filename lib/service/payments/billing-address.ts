// The address at which a customer pays: a page of the operator, with what it is about, signed by the operator's secret. The page verifies
// the signature, so that a customer can't change the account or the plan in it.
import { createHmac } from "node:crypto";
import type { PlanName } from "../../contract/plans.ts";

/** How long an address is valid. */
export const BILLING_ADDRESS_LIFETIME_MS = 30 * 60_000;

export interface BillingRequest {
  readonly accountId: number;
  /** The plan to take; undefined to pay an invoice, or to change how the account pays. */
  readonly plan: PlanName | undefined;
  /** Start of the present billing period, as a timestamp. */
  readonly periodStart: string;
  /** Address to which the page leads back. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Returns the signed address. `signature` is the last parameter: HMAC-SHA256 of all that stands before `&signature=`, in base64url, with
 * the key that follows `whsec_` in the operator's secret in base64.
 */
export function billingAddress(
  billingUrl: string,
  { accountId, plan, periodStart, returnTo, expiresAt }: BillingRequest,
  secret: string,
): string {
  const query = new URLSearchParams({
    account: String(accountId),
    ...(plan !== undefined && { plan }),
    period: periodStart,
    return_to: returnTo,
    expires: String(Math.floor(expiresAt / 1000)),
  });
  const signed = `${billingUrl}?${query}`;
  return `${signed}&signature=${createHmac("sha256", secretBytes(secret)).update(signed).digest("base64url")}`;
}

/**
 * True for the address of a page for payments: https without a query, a fragment, or a user. `isHttpAllowed` names hosts for which http is
 * enough, such as those of this machine.
 */
export function isBillingPage(text: string, isHttpAllowed: (hostname: string) => boolean = () => false): boolean {
  const url = URL.parse(text);
  if (!url || text.includes("?") || text.includes("#") || url.username !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isHttpAllowed(url.hostname));
}

function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ""), "base64");
}
