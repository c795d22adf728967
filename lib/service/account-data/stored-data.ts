// What the service stores: each kind of data, when it is stored, for how long, and where. The tables of docs/security.md and
// docs/privacy-template.md are made from it, and a test compares it with the templates of the stacks.
import { JOB_RETENTION_DAYS } from "../jobs/job.ts";
import { FAILED_RENDER_DAYS } from "../jobs/message-retention.ts";
import { EVENT_RETENTION_DAYS } from "../operator-events/event-store.ts";
import { DELIVERY_RETENTION_DAYS } from "../receivers/delivery-log.ts";
import { STORED_EVENT_DAYS } from "../receivers/stored-events.ts";
import { internalPrefixes, lifetimeClasses } from "../results/lifetime-class.ts";
import { EXPORT_DAYS } from "./data-export.ts";

/** Where data of a kind lies. A partition is the start of a partition key, up to the first `#`. */
export interface StorageLocations {
  readonly accounts?: readonly string[];
  readonly usage?: readonly string[];
  readonly activity?: readonly string[];
  /** Prefixes of the keys of objects. */
  readonly bucket?: readonly string[];
  /** Ids of the constructs of queues, or `WebhookSchedules`. */
  readonly queues?: readonly string[];
  /** Functions, whose logs are alike, and API Gateway, which logs requests. */
  readonly logs?: readonly ("functions" | "AccessLog")[];
}

/** A row of the tables, in Markdown with links as from the folder `docs`. */
export interface StoredData {
  readonly what: string;
  readonly when: string;
  readonly kept: string;
  readonly where: StorageLocations;
}

/** Of accounts and captures, from what a customer gives to what is left when the account is gone. */
export const storedData: readonly StoredData[] = [
  {
    what: "The account: name, e-mail address, plan, settings, limits, and a suspension with its reason",
    when: "Always",
    kept: "As long as the account",
    where: { accounts: ["ACCOUNT", "EMAIL", "CALLER"] },
  },
  {
    what:
      "API keys: label, scopes, and limits, the SHA-256 of the key, its first characters, and its signing secret, which is encrypted. Revoked " +
      "ones, too",
    when: "When a key is created",
    kept: "As long as the account",
    where: { accounts: ["ACCOUNT", "CALLER", "LINK"] },
  },
  {
    what: "The [directory](operator.md#accounts): name, address, plan, and state of an account, and the prefixes of its keys",
    when: "Always",
    kept: "As long as the account",
    where: { accounts: ["DIRECTORY"] },
  },
  {
    what: "Sessions: when and how they began, the browser's name of itself, and its network without the last part of the address",
    when: "When someone signs in",
    kept: "30 days from the last use, and at most 90",
    where: { accounts: ["SESSIONS"] },
  },
  {
    what: "Codes and links to sign in, by their hashes",
    when: "When someone asks for one",
    kept: "10 minutes, and links 15",
    where: { accounts: ["CODE", "SIGNIN"] },
  },
  {
    what: "The previous e-mail address of an account, by which its owner undoes a change; and that a sign-in can be reported",
    when: "When the address changes, and when a new browser signs in",
    kept: "72 hours; the time of a report for a year",
    where: { accounts: ["UNDO", "REPORTS"] },
  },
  {
    what: "How often a network, an e-mail address, or an account has tried to sign in or has captured without a key, by hashes of them",
    when: "With each attempt",
    kept: "Until the limit starts again: a minute, an hour, or a day",
    where: { usage: ["ATTEMPTS"] },
  },
  {
    what: "Webhook receivers: name, address, state, and secrets, which are encrypted",
    when: "When one is created",
    kept: "Until it is deleted",
    where: { accounts: ["RECEIVERS", "RECEIVERSECRETS"] },
  },
  {
    what: "The scheme, host, and port of a `webhook_url`, with since when it fails",
    when: "If a webhook to it has failed",
    kept: "30 days after the last failure",
    where: { accounts: ["RECEIVERS"] },
  },
  {
    what: "Deliveries of webhooks: address, time, status, and the start of what the receiver answered",
    when: "With each attempt to a saved receiver",
    kept: `${DELIVERY_RETENTION_DAYS} days`,
    where: { activity: ["DELIVERIES"] },
  },
  {
    what: "Webhooks that wait for their receiver or for a retry",
    when: "While the receiver is paused or fails",
    kept: `${STORED_EVENT_DAYS} days; in the queue and its schedules until the last attempt`,
    where: { activity: ["KEPT"], queues: ["Webhook", "WebhookSchedules"] },
  },
  {
    what: "The log of a capture: address, options without secrets, times, the caller's network address",
    when: "Always",
    kept: "400 days, or as the setting `usageRetentionDays` says",
    where: { activity: ["LOG"] },
  },
  {
    what: `A thumbnail of the result, at most 320 × 400 pixels and 15 kB`,
    when: "Of images and videos, unless `store_thumbnail=false` or the account's setting `store_thumbnails` says no",
    kept: `${internalPrefixes.thumbnails.days} days`,
    where: { bucket: [internalPrefixes.thumbnails.name] },
  },
  {
    what: "The result",
    when: "Only if it is asked for by a link, cached, asynchronous, or too large for the response",
    kept: `A day, or as long as it is cached: at most ${lifetimeClasses.at(-1)?.days} days`,
    where: { bucket: lifetimeClasses.map(({ name }) => name), activity: ["REFERENCES"] },
  },
  {
    what: "The report",
    when: "With `metadata_report`",
    kept: "As long as the result, or a day",
    where: { bucket: lifetimeClasses.map(({ name }) => name) },
  },
  {
    what: "The metadata of a cached result, and who captures it now",
    when: "With `cache`",
    kept: "As long as it is cached, or until its capture is deleted",
    where: { activity: ["CACHE", "FLIGHTS"] },
  },
  {
    what: "The response to a `POST` with an `Idempotency-Key`: its text, or a copy of its bytes where no stored result has them for a day",
    when: "With the header",
    kept: "A day, or until one of its captures is deleted",
    where: { activity: ["ANSWERS"], bucket: [internalPrefixes.answers.name] },
  },
  {
    what: "An asynchronous capture: its state, its options without secrets, and its webhook",
    when: "With `async`",
    kept: `${JOB_RETENTION_DAYS} days`,
    where: { activity: ["JOBS"] },
  },
  {
    what: "The options of an asynchronous capture, with its secrets and its HTML, in the encrypted queue or in an object",
    when: "With `async`",
    kept:
      `Until it ends; ${FAILED_RENDER_DAYS} days if it failed because of the service, so that the operator can have it captured again. These ` +
      "alone outlive the account: their queue isn't read by account",
    where: { queues: ["Render", "RenderDeadLetters", "FailedRenders"], bucket: [internalPrefixes.options.name] },
  },
  {
    what: "What passes between a function and its separate renderer: options, and the rendered page",
    when: "With each capture that is too large to pass directly",
    kept: "Until it is read, and at most a day",
    where: { bucket: [internalPrefixes.renderings.name] },
  },
  {
    what: "Counts of captures by billing period and month, with the plan and prices of the period, from which invoices are made",
    when: "With each capture",
    kept: "As long as the account",
    where: { usage: ["PERIODS", "MONTHS"] },
  },
  {
    what: "The PDF of an invoice",
    when: "When it is first downloaded after its period",
    kept: "As long as the account",
    where: { usage: ["INVOICES"] },
  },
  {
    what: "Counts of captures by minute",
    when: "With each capture",
    kept: "As the log",
    where: { usage: ["HOURS"] },
  },
  {
    what: "Counts for limits: requests of the last minute, views of a signed link, captures of a test key, a key, or a day, and free failures",
    when: "With each request",
    kept: "Requests as long as the account, views a day, others a week after the day or period",
    where: { usage: ["REQUESTS", "VIEWS", "TESTS", "KEYLIMITS", "DAYLIMITS", "FAILURES"] },
  },
  {
    what: "Which captures, webhooks, and requests run now, and that trials are paused",
    when: "While they run",
    kept: "Until they end; the pause until the end of the month",
    where: { usage: ["SLOTS", "PAUSE"] },
  },
  {
    what: "That the first use of an API key was reported",
    when: "When it was",
    kept: "As long as the account",
    where: { usage: ["FIRSTUSES"] },
  },
  {
    what: "What a mail is to say: the account, and of the first use of a key, the network address of the caller",
    when: "When a mail is due",
    kept: "Until it is sent; 14 days if it can't be",
    where: { queues: ["QuotaAlerts", "QuotaAlertDeadLetters"] },
  },
  {
    what: "Messages that could not be handled: the numbers of webhooks, and of exports and deletions",
    when: "When a function fails again and again",
    kept: "14 days",
    where: { queues: ["WebhookDeadLetters", "AccountData", "AccountDataDeadLetters"] },
  },
  {
    what: "The picture of a page that a visitor has captured without a key, under the hash of its address",
    when: "Where [captures without a key](operations.md#captures-without-a-key) are on",
    kept: "An hour",
    where: { activity: ["KEYLESS"] },
  },
  {
    what: "The file of an export, and parts of one that isn't ready",
    when: "When the owner or an API key starts one",
    kept: `${EXPORT_DAYS} days`,
    where: { activity: ["EXPORTS"], bucket: [internalPrefixes.exports.name] },
  },
  {
    what:
      "Lines of log: method, path without keys, status, and duration of each request, the program's name of itself, the numbers of the account " +
      "and the key, the host of the captured page, errors; of captures without a key, the network without the last part of its address",
    when: "With each request and task",
    kept: "A week in `dev`, three months in `prod`; on one machine, the newest 256 MB",
    where: { logs: ["functions"] },
  },
  {
    what: "The access log of API Gateway: network address, time, method, route, and status of each request",
    when: "On AWS, with each request",
    kept: "A week in `dev`, three months in `prod`",
    where: { logs: ["AccessLog"] },
  },
  {
    what: "Sessions, links, and codes of operators",
    when: "When an operator signs in",
    kept: "12 hours, 15 minutes, and 10 minutes",
    where: { accounts: ["OPERATORS"] },
  },
  {
    what: "The [audit log](operator.md#audit-log): what operators did, with the number of the account and the reason that they gave",
    when: "When an operator changes something, or looks at a picture",
    kept: "Without end. It outlives the account, and has no address or name of it",
    where: { activity: ["AUDIT"] },
  },
  {
    what:
      "[Events for the operator](operator.md#events): the number, name, and e-mail address of an account, and what it asked for or changed of " +
      "its plan, or an invoice of it",
    when: "When the owner changes the plan, and when an invoice closes or is overdue",
    kept: `${EVENT_RETENTION_DAYS} days`,
    where: { activity: ["EVENTS"] },
  },
  {
    what: "Payments of invoices: whether one is paid, when, and how the payment provider names it. Nothing of cards or bank accounts",
    when: "When the [payment provider](payments.md) reports one",
    kept: "As long as the account; that a report was handled, by its hash, for 90 days",
    where: { usage: ["PERIODS"], activity: ["PAYMENTS"] },
  },
  {
    what: "How many checks of the service succeeded, by day, for the [status page](guide/status.md). Nothing of customers",
    when: "With each run of the canary",
    kept: "100 days",
    where: { activity: ["STATUS"] },
  },
  {
    what: "Incidents that the operator writes, and the status page that shows them. They are public, so write nothing of a customer into them",
    when: "When an operator writes one",
    kept: "Without end",
    where: { activity: ["STATUS"], bucket: ["status"] },
  },
  {
    what: "The deletion of an account: its number, times, and how much was deleted; the address until the end is mailed",
    when: "When the owner deletes it",
    kept: "30 days",
    where: { accounts: ["DELETION"] },
  },
  {
    what: "The hashes of an e-mail address and of its mailbox, by which a mailbox gets one free trial",
    when: "When a trial starts",
    kept: "Without end. They outlive the account",
    where: { accounts: ["TRIAL"] },
  },
  {
    what:
      "Secrets of the service itself, encrypted, the last outcome of its own test capture, and until when invoices are closed. Nothing of " +
      "customers",
    when: "Always",
    kept: "Until they are replaced",
    where: { accounts: ["SECRET"], activity: ["CANARY"], usage: ["BILLING"] },
  },
];

/** Each location by its name in the table. */
const locationNames: Readonly<Record<keyof StorageLocations, string>> = {
  accounts: "Accounts table",
  usage: "Usage table",
  activity: "Activity table",
  bucket: "Bucket",
  queues: "Queues",
  logs: "Logs",
};

/** The locations of data of a kind, in words. */
export function describeLocations(where: StorageLocations): string {
  const names = (Object.keys(locationNames) as (keyof StorageLocations)[]).filter(
    (place) => where[place] !== undefined,
  );
  return names
    .map((place, index) => (index === 0 ? locationNames[place] : locationNames[place].toLowerCase()))
    .join(", ");
}
