// An example of each mail, with data that readers could get: for previews, pictures, and tests.
import type { OperatorIdentity } from "../../contract/operator-identity.ts";
import { suspensionMail } from "../../service/account/suspension-notice.ts";
import { deletionMail } from "../../service/account-data/deletion-mail.ts";
import { quotaAlertMail } from "../../service/billing/quota-alert-mail.ts";
import { firstUseMail } from "../../service/keys/first-use-notice.ts";
import type { MailDocument, MailName } from "../../service/mail/mail-document.ts";
import { operatorCodeMail, operatorSignInLinkMail } from "../../service/operator/operator-mails.ts";
import { operatorEventMail } from "../../service/operator-events/event-mail.ts";
import { operatorEvent } from "../../service/operator-events/operator-event.ts";
import { paymentMail } from "../../service/payments/payment-notice.ts";
import { pauseMail } from "../../service/receivers/pause-notice.ts";
import {
  changedAddressMail,
  currentAddressMail,
  newAddressMail,
  newBrowserMail,
  signInMail,
  undoneAddressMail,
} from "../../service/sessions/address-mails.ts";

const BASE_URL = "https://captures.example";
const AT = "2026-01-31T09:05:00.000Z";
const NOW = Date.parse(AT);
const IN_72_HOURS = NOW + 72 * 60 * 60 * 1000;
const TOKEN = "q3mXk9TtVb7dLw2sYh8rNzP4cGf6JaUe1oBiDxQvRlM";
const CODE = "482913";

const account = { label: "Example Ltd", email: "ann@customer.example" };
const invoice = { start: "2026-01-10T08:00:00.000Z", end: "2026-02-10T08:00:00.000Z", total: "49.00" };
const billing = {
  accountId: 7,
  baseUrl: BASE_URL,
  terms: { overdueAfterDays: 14, suspendAfterDays: 30 },
};

/** Who runs the service of the examples. */
export const exampleIdentity: OperatorIdentity = {
  support: "support@captures.example",
  terms: "https://captures.example/terms",
  privacy: "https://captures.example/privacy",
};

export const mailExamples: { readonly [Name in MailName]: MailDocument } = {
  "sign-in-code": signInMail(CODE, BASE_URL),
  "current-address-code": currentAddressMail(CODE, BASE_URL),
  "new-address-code": newAddressMail(CODE, BASE_URL),
  "changed-address": changedAddressMail(
    { accountId: 7, email: "ann.lee@customer.example", undoToken: TOKEN, undoUntil: IN_72_HOURS },
    BASE_URL,
  ),
  "undone-address": undoneAddressMail({ accountId: 7 }, BASE_URL),
  "new-browser": newBrowserMail(
    {
      accountId: 7,
      now: NOW,
      browser: "Firefox on Linux",
      network: "203.0.113.x",
      signed_in_with: "email",
      reportToken: TOKEN,
      reportUntil: IN_72_HOURS,
    },
    BASE_URL,
  ),
  "first-use": firstUseMail(
    { label: "Website", key_prefix: "sc_live_4fQ2", at: AT, ip_address: "203.0.113.7" },
    BASE_URL,
  ),
  "quota-alert": quotaAlertMail(
    { quota: { name: "screenshots", limit: 5_000 }, used: 4_000, percentage: 80 },
    {
      account: { label: account.label, plan: "starter" },
      period: { start: invoice.start, end: invoice.end, month: 1 },
      baseUrl: BASE_URL,
    },
  ),
  "paused-receiver": pauseMail(
    {
      id: "rcv_5kT8",
      name: "Orders",
      origin: "https://hooks.customer.example",
      failing_since: "2026-01-30T06:00:00.000Z",
      is_last: true,
    },
    BASE_URL,
  ),
  "failed-payment": paymentMail("failed", invoice, billing),
  "overdue-payment": paymentMail("overdue", invoice, billing),
  suspended: suspensionMail(
    { id: 7, suspension: { reason: "The invoice 7-2026-01-10 is not paid.", at: AT, billing: "stop" } },
    BASE_URL,
  ),
  resumed: suspensionMail({ id: 7 }, BASE_URL),
  "deleted-account": deletionMail(7, { captures: 12_418, jobs: 320, results: 1_207, api_keys: 3 }),
  "sign-in-link": operatorSignInLinkMail(7, `${BASE_URL}/app/sign-in#token=${TOKEN}`),
  "operator-code": operatorCodeMail(CODE, BASE_URL),
  "operator-event": operatorEventMail(
    operatorEvent({ type: "plan.requested", account_id: 7, data: { account, from: "starter", plan: "pro" } }, NOW),
  ),
};
