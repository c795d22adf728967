// Options for delivery: asynchronous captures, webhooks, and the cache.
import * as v from "valibot";
import { choice, coerced, flag, integer, text } from "../coercion.ts";
import { option } from "../option.ts";

/** Maximum `cache_ttl` and `cache_stale_ttl` in seconds. */
const MAX_CACHE_TTL_S = 2_592_000;
/** The TTL in seconds of `cache` without `cache_ttl`. */
export const DEFAULT_CACHE_TTL_S = 14_400;

const webhook = { async: "true", webhook_url: "https://you.example/captures" };

/** The id of a saved receiver of webhooks. */
export const RECEIVER_ID = /^rcv_[0-9A-Za-z]{16}$/;

/** The address of a receiver of webhooks. Its host is checked when it is known where the service may connect. */
export const webhookAddress = v.pipe(
  text(2_000, { secret: true }),
  v.check((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), "must be an https URL"),
);

export const deliveryOptions = {
  validate: v.optional(
    option(flag(), {
      description:
        "Check the request without a capture: the response is 200 with all options as they apply and what the capture would be " +
        "billed as, or the usual 422. Counts against the rate limit, and is free.",
    }),
    false,
  ),
  async: v.optional(
    option(flag(), {
      description:
        "Capture asynchronously: the response is 202, immediately, with the URL of the capture's status. The " +
        "result is stored; `response_type` has no effect.",
    }),
    false,
  ),
  webhook_url: v.optional(
    option(webhookAddress, {
      description:
        "URL that receives the status of the capture as JSON when it succeeds or fails. It must be public, use " +
        "https, and respond with a 2xx status within 10 seconds; otherwise the webhook is retried for up to 18 " +
        "hours. Requires `async`.",
      secret: true,
      needs: ["async"],
      sample: "https://you.example/captures",
    }),
  ),
  webhook_receiver: v.optional(
    option(
      coerced<string>({ type: "string", pattern: RECEIVER_ID.source }, (sent) =>
        typeof sent === "string" && RECEIVER_ID.test(sent)
          ? { value: sent }
          : { problem: "must be the id of a receiver, `rcv_` and 16 letters or digits, and not its name" },
      ),
      {
        description:
          "Id of a saved webhook receiver of the account, in place of `webhook_url`. The webhook goes to the URL that the receiver " +
          "has when it is sent, signed with the receiver's own secret. While the receiver is paused, its webhooks are kept. " +
          "Requires `async`.",
        needs: ["async"],
        sample: "rcv_8BDDiltGx3kQv0Zt",
      },
    ),
  ),
  webhook_sign: v.optional(
    option(flag(), { description: "Sign the webhook with the signing secret of the API key.", sampleWith: webhook }),
    true,
  ),
  webhook_errors: v.optional(
    option(flag(), { description: "Also send the webhook if the capture fails.", sampleWith: webhook }),
    true,
  ),
  fallback_image: v.optional(
    option(choice(["transparent", "placeholder"]), {
      description:
        "For signed links only: the image that a visitor sees in place of an error, with status 200 and the error's code in the " +
        "header `X-Error-Code`. `transparent` is one transparent pixel; `placeholder` is a gray picture of the size of the capture. " +
        "No cache stores it. A link with a wrong signature gets an error nevertheless.",
      only: ["image", "video"],
    }),
  ),
  store_thumbnail: v.optional(
    option(flag(), {
      description:
        "Store a small picture of the result for 30 days, with which the dashboard lists the capture: WebP, at most 320 × 400 " +
        "pixels and 15 kB. It is made after the response, for images and for the first frame of videos.",
      otherwise: "that of the account's setting `store_thumbnails`, which is true unless you change it",
      sample: "false",
    }),
  ),
  external_identifier: v.optional(
    option(v.pipe(text(64), v.regex(/^[\w.:-]+$/, "must consist of letters, digits and . : _ -")), {
      description:
        "Your own identifier for the capture, which its status and webhook contain: 1 to 64 letters, digits, and " +
        "`.:_-`.",
      sample: "order-7",
    }),
  ),
  cache: v.optional(
    option(flag(), {
      description: `Use the cache, for ${DEFAULT_CACHE_TTL_S} seconds unless you set \`cache_ttl\`.`,
    }),
    false,
  ),
  cache_ttl: v.optional(
    option(integer(0, MAX_CACHE_TTL_S), {
      description:
        "Seconds for which the result is cached. Later requests with the same options get the cached result for " +
        "free. 0 turns off the cache.",
      otherwise: `${DEFAULT_CACHE_TTL_S} with \`cache\`, else 0`,
      sample: "3600",
    }),
  ),
  cache_stale_ttl: v.optional(
    option(integer(0, MAX_CACHE_TTL_S), {
      description:
        "Seconds after `cache_ttl` for which the cached result is still returned immediately, with `X-Cache: " +
        "STALE`, while the page is captured again asynchronously (stale-while-revalidate). The new capture is " +
        "logged and billed; without quota for it, you still get the cached result. Results are deleted 30 days " +
        "after their capture in any case. A capture with `async` is captured again instead.",
      needs: ["cache", "cache_ttl"],
      sample: "600",
    }),
    0,
  ),
  cache_key: v.optional(
    option(v.pipe(text(250), v.regex(/^[\w-]+$/, "must consist of letters, digits, _ and -")), {
      description: "Separates cached results with the same options: each key has its own cached result.",
      needs: ["cache", "cache_ttl"],
      sample: "home-v2",
    }),
  ),
  cache_refresh: v.optional(
    option(flag(), {
      description: "Capture the page again and replace the cached result.",
      needs: ["cache", "cache_ttl"],
    }),
    false,
  ),
};
