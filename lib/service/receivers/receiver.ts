// Receivers of webhooks: their stored form, their ids and names, the rotation of their secrets, and when one that fails is paused.
//
// A saved receiver is made by its account. An automatic one stands for an origin to which the `webhook_url` of captures lead: it exists
// since a delivery to it has failed, and has a health and a status, but neither a secret nor a log.
import { createHash, randomInt } from "node:crypto";
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { type SigningSecrets, validSecrets } from "../account/account.ts";
import { MAX_PREVIOUS_SECRETS } from "../keys/key-ring.ts";
import { MAX_REPLAY_FAILURES } from "./replay-limits.ts";

/** Maximum number of saved receivers per account. */
export const MAX_RECEIVERS = 20;

/**
 * - `active`: gets webhooks
 * - `paused`: its webhooks are kept until it is resumed
 */
export const receiverStatuses = ["active", "paused"] as const;

/**
 * Who has paused a receiver: its account; or the service, because it had failed for a day, or because it has another origin, which has not
 * accepted a test event yet.
 */
export const pauseCauses = ["account", "automatic", "verification"] as const;
export type PauseCause = (typeof pauseCauses)[number];

const timestamp = v.string();

/** A receiver as it is stored. Its secrets are in an item of their own, which fewer functions may read. */
export const ReceiverSchema = v.object({
  id: v.string(),
  account_id: v.number(),
  /** Unique among the saved receivers of the account. That of an automatic one is its origin. */
  name: v.string(),
  /** Of an automatic receiver, the origin: paths and queries can be secrets. */
  url: v.string(),
  status: v.picklist(receiverStatuses),
  created_at: timestamp,
  paused_at: v.exactOptional(timestamp),
  paused_by: v.exactOptional(v.picklist(pauseCauses)),
  /**
   * The `failing_since` of its last pause, which stays after it was resumed: of the events whose attempts had ended, those are kept that
   * ended while it was failing.
   */
  outage_since: v.exactOptional(timestamp),
  /** When it was resumed last, in milliseconds since 1970: names the messages that send what was kept. */
  resumed_at: v.exactOptional(v.number()),
  /** When its events were sent again last, in milliseconds since 1970. */
  replayed_at: v.exactOptional(v.number()),
  /** Failures in a row of the deliveries of that replay. */
  replay_failures: v.exactOptional(v.number()),
  /** Since when it has another origin, which has not accepted a test event yet: no event is sent there. */
  unverified_since: v.exactOptional(timestamp),
  /** When it last accepted and last refused a webhook, to the minute. */
  last_success_at: v.exactOptional(timestamp),
  last_failure_at: v.exactOptional(timestamp),
  /** The first failure since the last success; absent while the last delivery is a success. */
  failing_since: v.exactOptional(timestamp),
  /** In how many minutes since then a failure was stored. */
  failing_minutes: v.exactOptional(v.number()),
  /** Until when a secret from before a rotation signs, too. */
  previous_secret_ends_at: v.exactOptional(timestamp),
  /** Of an automatic receiver, when it is forgotten, in seconds since 1970. */
  ttl: v.exactOptional(v.number()),
});
export type Receiver = v.InferOutput<typeof ReceiverSchema>;

/** Primary key of a receiver. */
export type ReceiverIds = Pick<Receiver, "account_id" | "id">;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARACTERS = 16;

/** Creates an id of 95 random bits. */
export function createReceiverId(): string {
  const characters = Array.from({ length: ID_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]);
  return `rcv_${characters.join("")}`;
}

const AUTOMATIC_ID = /^auto_[0-9a-f]{16}$/;

/** The id of the automatic receiver for the origin of an address. */
export function automaticReceiverId(url: string): string {
  return `auto_${createHash("sha256").update(new URL(url).origin).digest("hex").slice(0, 16)}`;
}

/** Whether the id is that of an automatic receiver. */
export function isAutomaticId(id: string): boolean {
  return AUTOMATIC_ID.test(id);
}

/** How long an automatic receiver is remembered after its last failure or kept event: 30 days. */
const AUTOMATIC_RETENTION_S = 30 * 24 * 60 * 60;

/** The `ttl` of an automatic receiver that is used at `now` (milliseconds since 1970). */
export function automaticTtl(now: number): number {
  return Math.ceil(now / 1000) + AUTOMATIC_RETENTION_S;
}

/** The receiver for the origin of an address that has failed for the first time at `now` (milliseconds since 1970). */
export function newAutomaticReceiver(account_id: number, url: string, now: number): Receiver {
  const { origin } = new URL(url);
  const created_at = new Date(now).toISOString();
  return {
    id: automaticReceiverId(url),
    account_id,
    name: origin,
    url: origin,
    status: "active",
    created_at,
    ttl: automaticTtl(now),
  };
}

/** The error of an id that no receiver of the account has. */
export function unknownReceiver(): ApiError {
  const message =
    "The account has no webhook receiver with this id. List its receivers with GET /api/v1/webhooks/receivers.";
  return new ApiError("NOT_FOUND", message);
}

/** The error of what only a saved receiver has or can. */
export function notSaved(): ApiError {
  const message =
    "This receiver is automatic: it stands for an origin of `webhook_url`, and has no secret and no log of deliveries. You can read, " +
    "pause, and resume it. For the rest, save a receiver with POST /api/v1/webhooks/receivers.";
  return new ApiError("NOT_FOUND", message);
}

/** The names of an account's receivers by their ids. */
export type ReceiverNames = Readonly<Record<string, string>>;

/** Returns the names with that of a new receiver. Throws `CONFLICT` when there are `MAX_RECEIVERS`, or one has the name. */
export function withNewName(names: ReceiverNames, id: string, name: string): ReceiverNames {
  if (Object.keys(names).length >= MAX_RECEIVERS) {
    const message = `The account has ${MAX_RECEIVERS} webhook receivers, as many as it may have. Delete one of them first.`;
    throw new ApiError("CONFLICT", message);
  }
  return withChangedName(names, id, name);
}

/** Returns the names with another one for a receiver. Throws `CONFLICT` when another receiver has it, in any case. */
export function withChangedName(names: ReceiverNames, id: string, name: string): ReceiverNames {
  const comparable = (text: string) => text.normalize("NFKC").toLowerCase();
  const namesake = Object.entries(names).find(
    ([other, known]) => other !== id && comparable(known) === comparable(name),
  );
  if (!namesake) return { ...names, [id]: name };
  throw new ApiError("CONFLICT", `The webhook receiver ${namesake[0]} has this name. Send another one.`);
}

/** Returns the names without that of a receiver. */
export function withoutName(names: ReceiverNames, id: string): ReceiverNames {
  return Object.fromEntries(Object.entries(names).filter(([other]) => other !== id));
}

/** How long the previous secret can sign webhooks after a rotation: 7 days. */
export const MAX_SECRET_OVERLAP_S = 7 * 24 * 60 * 60;
/** How long it does by default: a day. */
export const DEFAULT_SECRET_OVERLAP_S = 24 * 60 * 60;

/**
 * Returns the secrets with a new one. The previous one signs for `overlapSeconds` more, and earlier ones no longer than it. Throws
 * `CONFLICT` when too many sign: each adds a signature to every webhook.
 */
export function withRotatedSecret(
  { signing_secret, previous_signing_secrets }: SigningSecrets,
  { secret, now, overlapSeconds }: { readonly secret: string; readonly now: number; readonly overlapSeconds: number },
): SigningSecrets {
  const end = new Date(now + overlapSeconds * 1000).toISOString();
  const previous = [{ secret: signing_secret, until: end }, ...validSecrets(previous_signing_secrets, now)]
    .map((each) => ({ ...each, until: each.until < end ? each.until : end }))
    .filter(({ until }) => Date.parse(until) > now);
  if (previous.length > MAX_PREVIOUS_SECRETS) {
    const message =
      `${MAX_PREVIOUS_SECRETS} previous secrets of the receiver still sign its webhooks, as many as may. Rotate the secret later, or ` +
      "with `overlap` 0, which ends them all.";
    throw new ApiError("CONFLICT", message);
  }
  return { signing_secret: secret, previous_signing_secrets: previous };
}

/** True when an address leads to another origin than the one of a receiver. */
export function isOtherOrigin({ url }: Pick<Receiver, "url">, other: string): boolean {
  return new URL(url).origin !== new URL(other).origin;
}

/** The error of what sends events to an origin that has not accepted a test event yet. */
export function unverifiedReceiver(): ApiError {
  const message =
    "The URL of the receiver leads to another origin, which has to accept a test event before webhooks are sent there. Send one with POST " +
    "/api/v1/webhooks/receivers/{id}/test: after an answer with a 2xx status, the receiver is resumed.";
  return new ApiError("CONFLICT", message);
}

/** True for a replay of the events of a receiver, by its time, that has ended because too many deliveries in a row have failed. */
export function hasReplayEnded(
  { replayed_at, replay_failures = 0 }: Pick<Receiver, "replayed_at" | "replay_failures">,
  replay: number,
): boolean {
  return replayed_at === replay && replay_failures >= MAX_REPLAY_FAILURES;
}

/** How precise the times of the last success and failure are: a busy receiver's item is not written for each delivery. */
export const HEALTH_PRECISION_MS = 60_000;

/** True when the outcome of a delivery at `now` (milliseconds since 1970) changes what is stored of the receiver's health. */
export function changesHealth(
  { failing_since, last_success_at, last_failure_at }: Receiver,
  outcome: "success" | "failure",
  now: number,
): boolean {
  const last = outcome === "success" ? last_success_at : last_failure_at;
  const isTurn = (outcome === "failure") !== (failing_since !== undefined);
  return isTurn || last === undefined || Date.parse(last) + HEALTH_PRECISION_MS <= now;
}

/** A receiver that has failed for this long without a success is paused: a day. */
export const MAX_FAILING_MS = 24 * 60 * 60 * 1000;
/** In so many different minutes of it, a delivery must have failed: two attempts a day apart say little of the time between them. */
export const MIN_FAILING_MINUTES = 10;

/** True when the service pauses the receiver at `now`, in milliseconds since 1970. */
export function hasFailedForLong({ status, failing_since, failing_minutes = 0 }: Receiver, now: number): boolean {
  return (
    status === "active" &&
    failing_since !== undefined &&
    Date.parse(failing_since) + MAX_FAILING_MS <= now &&
    failing_minutes >= MIN_FAILING_MINUTES
  );
}
