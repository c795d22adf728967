// What the routes of sign-in and sessions answer.
import * as v from "valibot";
import { AccountSchema } from "../account/account.ts";
import { ScheduledPlanResponse, UnpaidInvoiceResponse } from "../account/responses.ts";
import { integerField, timestamp } from "../http/response-fields.ts";
import { signInMethods } from "./session.ts";

const { plan, label, email, requested_plan, quota_alerts, key_alerts, store_thumbnails } = AccountSchema.entries;

const sessionEntries = {
  id: v.string(),
  created_at: timestamp,
  /** When it ends unless it is used. */
  expires_at: timestamp,
  /** When it ends, however often it is used. */
  ends_at: timestamp,
  signed_in_with: v.picklist(signInMethods),
};

/** Which ways to sign in are open to everyone; links and API keys always are. */
export const SignInMethodsResponse = v.object({
  /** True when codes are sent by e-mail. */
  email: v.boolean(),
  /** True when a new address gets an account. */
  sign_up: v.boolean(),
});

export const SessionStateResponse = v.object({
  account: v.object({
    id: integerField,
    label,
    email,
    plan,
    requested_plan,
    quota_alerts,
    key_alerts,
    store_thumbnails,
    created_at: timestamp,
    /** Why the account is suspended, and since when; null while it is not. */
    suspension: v.nullable(v.object({ reason: v.string(), at: timestamp })),
    scheduled_plan: v.nullable(ScheduledPlanResponse),
    unpaid_invoices: v.array(UnpaidInvoiceResponse),
  }),
  /** Whether plans are chosen and paid on a page of the operator. */
  has_payment_page: v.boolean(),
  session: v.object(sessionEntries),
  sign_in: SignInMethodsResponse,
});

/** What a browser without a session cookie gets, which is no error: the pages ask at every address of the dashboard. */
export const SignedOutResponse = v.object({ account: v.null(), session: v.null(), sign_in: SignInMethodsResponse });

/** The address that an account has back. */
export const RestoredAddress = v.object({ email: v.string() });

export const ListedSession = v.object({
  ...sessionEntries,
  last_used_at: timestamp,
  user_agent: v.nullable(v.string()),
  /** Network of the browser when it signed in, such as `203.0.113.x`. */
  network: v.string(),
  is_current: v.boolean(),
});

export const Sessions = v.object({ data: v.array(ListedSession) });
