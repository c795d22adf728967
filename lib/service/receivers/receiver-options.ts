// The options of saved receivers of webhooks: when one is created and changed, its secret rotated, its deliveries listed, and its
// events sent again.
import * as v from "valibot";
import { choice, integer, isoTime } from "../../contract/options/coercion.ts";
import { webhookAddress } from "../../contract/options/groups/delivery.ts";
import { option } from "../../contract/options/option.ts";
import { optionParser, parseOptions } from "../../contract/options/parse-options.ts";
import { labelOption } from "../keys/key-options.ts";
import { DELIVERY_RETENTION_DAYS } from "./delivery-log.ts";
import { DEFAULT_SECRET_OVERLAP_S, MAX_SECRET_OVERLAP_S } from "./receiver.ts";

const name = labelOption("Name of the receiver, which no other receiver of the account has");

const url = option(webhookAddress, {
  description:
    "URL that receives webhooks. It must be public, use https, and respond with a 2xx status within 10 seconds.",
});

/** Options of a new receiver. */
export const newReceiverEntries = { name, url };

/** Options of a change to a receiver. */
export const receiverChangeEntries = { name: v.exactOptional(name), url: v.exactOptional(url) };

/** Options of a rotation of a secret. */
export const secretRotationEntries = {
  overlap: v.optional(
    option(integer(0, MAX_SECRET_OVERLAP_S, " seconds"), {
      description:
        "For how many seconds webhooks are also signed with the previous secret, so that you can change it where you verify them. " +
        "Use 0 if it may have leaked: then all previous secrets end immediately.",
    }),
    DEFAULT_SECRET_OVERLAP_S,
  ),
};

/** Options of a list of deliveries. */
export const deliveryListEntries = {
  status: v.optional(
    option(choice(["delivered", "failed"]), { description: "Return only deliveries with this outcome." }),
  ),
  before: v.optional(
    option(integer(1, Number.MAX_SAFE_INTEGER), {
      description: "Return only deliveries that are older than the one with this `id`: the `next_before` of a list.",
    }),
  ),
  limit: v.optional(option(integer(1, 100), { description: "Maximum number of deliveries." }), 25),
};

/** Options of a replay. */
export const replayEntries = {
  since: option(isoTime(), {
    description: `Send the webhooks again that were sent to the receiver from this time on, in the last ${DELIVERY_RETENTION_DAYS} days at most.`,
  }),
  until: v.optional(
    option(isoTime(), { description: "Send only the webhooks again that were sent before this time. Now by default." }),
  ),
};

const newReceiverSchema = v.object(newReceiverEntries, "must be sent");
const receiverChangesSchema = v.object(receiverChangeEntries);
const secretRotationSchema = v.object(secretRotationEntries);
const deliveryListSchema = v.object(deliveryListEntries);
const replaySchema = v.object(replayEntries, "must be sent");

export type NewReceiverOptions = v.InferOutput<typeof newReceiverSchema>;
export type ReceiverChanges = v.InferOutput<typeof receiverChangesSchema>;
export type SecretRotation = v.InferOutput<typeof secretRotationSchema>;
export type DeliveryListOptions = v.InferOutput<typeof deliveryListSchema>;
export type ReplayOptions = v.InferOutput<typeof replaySchema>;

/** Parses the options of a new receiver. Throws `VALIDATION_ERROR`, like the others. */
export const parseNewReceiver = optionParser({ schema: newReceiverSchema });

export const parseReceiverChanges = optionParser({ schema: receiverChangesSchema });

export const parseSecretRotation = optionParser({ schema: secretRotationSchema });

export const parseDeliveryList = optionParser({ schema: deliveryListSchema });

/** Parses the options of a replay at `now`, in milliseconds since 1970. */
export const parseReplay = (rawOptions: unknown, now: number): ReplayOptions =>
  parseOptions({ schema: replaySchema, rules: replayRules(now) }, rawOptions);

const replayRules = (now: number) =>
  function* ({ since, until }: Partial<ReplayOptions>): Generator<[string, string]> {
    if (since === undefined) return;
    const [start, end] = [Date.parse(since), until === undefined ? now : Date.parse(until)];
    if (start >= now) yield ["since", "must be in the past"];
    else if (start >= end) yield ["until", "must be later than 'since'"];
    if (start < now - DELIVERY_RETENTION_DAYS * 24 * 60 * 60 * 1000)
      yield ["since", `must be in the last ${DELIVERY_RETENTION_DAYS} days, for which deliveries are kept`];
  };
