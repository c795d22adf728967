// Options of a test of a webhook's receiver: those of a capture's webhook, but the address is required.
import * as v from "valibot";
import { deliveryOptions } from "../../contract/options/groups/delivery.ts";
import { optionParser } from "../../contract/options/parse-options.ts";

export const webhookTestEntries = {
  webhook_url: deliveryOptions.webhook_url.wrapped,
  webhook_sign: deliveryOptions.webhook_sign,
};

const schema = v.object(webhookTestEntries, "must be sent");

export type WebhookTestOptions = v.InferOutput<typeof schema>;

/** Parses the options of a test. Throws `VALIDATION_ERROR`. */
export const parseWebhookTest = optionParser({ schema });
