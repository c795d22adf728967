// Links by which the owner of an account reports a sign-in as not theirs: one use, for 72 hours. A report ends all sessions of the
// account, and every browser is new again.
import * as v from "valibot";
import { deleteItem, getItem, putItem } from "../aws/items.ts";
import { reportedSinceKey, signInReportKey } from "../aws/table-keys.ts";
import { KNOWN_BROWSER_LIFETIME_MS } from "./known-browser.ts";
import { createAccountLinkToken, hashSecret, parseAccountLinkToken } from "./secret-token.ts";
import { endAllSessions } from "./session-store.ts";

/** How long a sign-in can be reported, in milliseconds. */
const REPORT_LIFETIME_MS = 72 * 60 * 60 * 1000;

const ReportSchema = v.object({ expires_at: v.number() });
const SinceSchema = v.object({ reported_at: v.number() });

export interface ReportLink {
  /** Its secret, which is stored nowhere. */
  readonly reportToken: string;
  /** Milliseconds since 1970. */
  readonly reportUntil: number;
}

/** Creates a link that reports a sign-in at `now` (milliseconds since 1970). */
export async function createReportLink(
  table: string,
  { accountId, now }: { readonly accountId: number; readonly now: number },
): Promise<ReportLink> {
  const reportToken = createAccountLinkToken(accountId);
  const expires_at = now + REPORT_LIFETIME_MS;
  const item = {
    ...signInReportKey(accountId, hashSecret(reportToken)),
    expires_at,
    ttl: Math.ceil(expires_at / 1000),
  };
  await putItem(table, item);
  return { reportToken, reportUntil: expires_at };
}

/**
 * Ends all sessions of the account whose owner reports a sign-in at `now`. Resolves to false when the link was used, has expired or is
 * unknown.
 */
export async function reportSignIn(table: string, token: string, now: number): Promise<boolean> {
  const accountId = parseAccountLinkToken(token)?.accountId;
  if (accountId === undefined) return false;
  const link = signInReportKey(accountId, hashSecret(token));
  const item = await getItem(table, link);
  if (!item || v.parse(ReportSchema, item).expires_at <= now) return false;
  const ttl = Math.ceil((now + KNOWN_BROWSER_LIFETIME_MS) / 1000); // no browser is known for longer
  const since = { ...reportedSinceKey(accountId), reported_at: now, ttl };
  await putItem(table, since);
  await endAllSessions(table, accountId);
  // The link is spent last, so that one whose report failed can be opened again.
  return (await deleteItem(table, link)) !== undefined;
}

/** When the owner of an account last reported a sign-in, in milliseconds since 1970; 0 without a report. */
export async function lastReport(table: string, accountId: number): Promise<number> {
  const item = await getItem(table, reportedSinceKey(accountId));
  return item ? v.parse(SinceSchema, item).reported_at : 0;
}
