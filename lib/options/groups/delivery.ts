// When and to whom a capture is delivered: at once or later, by a webhook, or from the cache.
import * as v from "valibot";
import { flag, integer, text } from "../coercion.ts";
import { option } from "../option.ts";

/** Longest time in seconds that a result can be cached. */
export const MAX_CACHE_TTL_S = 2_592_000;
/** Time in seconds that `cache` alone stands for. */
export const DEFAULT_CACHE_TTL_S = 14_400;

export const deliveryOptions = {
  async: v.optional(
    option(flag(), {
      description:
        "Answer at once with 202 and the address of the capture's state, and take the capture in the background. Its " +
        "result is stored; `response_type` says nothing then.",
    }),
    false,
  ),
  webhook_url: v.optional(
    option(
      v.pipe(
        text(2_000, { secret: true }),
        v.check((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), "must be an https address"),
      ),
      {
        description:
          "Address that is sent the capture's state as JSON once it has succeeded or failed. It must be public and https, " +
          "and answer with 2xx within 10 seconds; otherwise it is asked again for up to 18 hours. Only with `async`.",
        secret: true,
      },
    ),
  ),
  webhook_sign: v.optional(
    option(flag(), { description: "Sign the webhook with the signing secret of the API key." }),
    true,
  ),
  webhook_errors: v.optional(option(flag(), { description: "Send the webhook for a capture that failed, too." }), true),
  external_identifier: v.optional(
    option(v.pipe(text(64), v.regex(/^[\w.:-]+$/, "must consist of letters, digits and . : _ -")), {
      description:
        "Name of your own for the capture, told again in its state and webhook: 1 to 64 letters, digits and `.:_-`.",
    }),
  ),
  cache: v.optional(
    option(flag(), {
      description: `Use the cache, for ${DEFAULT_CACHE_TTL_S} seconds unless \`cache_ttl\` says otherwise.`,
    }),
    false,
  ),
  cache_ttl: v.optional(
    option(integer(0, MAX_CACHE_TTL_S), {
      description:
        "Seconds for which the result answers later requests with the same options, without being billed again; 0 turns " +
        "the cache off.",
      otherwise: `${DEFAULT_CACHE_TTL_S} with \`cache\`, else 0`,
    }),
  ),
  cache_stale_ttl: v.optional(
    option(integer(0, MAX_CACHE_TTL_S), {
      description:
        "Seconds after the end of `cache_ttl` for which the result still answers at once, with `X-Cache: STALE`, while it " +
        "is taken anew in the background: a capture of its own, which is logged and billed. Without quota left for that, " +
        "it answers all the same. 30 days after it was taken it is gone in any case. A capture with `async` is taken " +
        "anew instead.",
      needsOthers: true,
    }),
    0,
  ),
  cache_key: v.optional(
    option(v.pipe(text(250), v.regex(/^[\w-]+$/, "must consist of letters, digits, _ and -")), {
      description: "Keeps results apart that have the same options: another key, another capture.",
    }),
  ),
  cache_refresh: v.optional(
    option(flag(), { description: "Take the capture anew and let it replace what is cached." }),
    false,
  ),
};
