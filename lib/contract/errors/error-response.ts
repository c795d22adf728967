// The JSON body of an error, the same for all resources.
import * as v from "valibot";
import { ProblemsSchema } from "../problems/problem.ts";
import { type ErrorCode as Code, errorKinds } from "./error-kinds.ts";
import { MAX_RETRY_AFTER_S, MIN_RETRY_AFTER_S } from "./retry-after.ts";

export const ErrorCodeSchema = v.pipe(
  v.picklist(Object.keys(errorKinds) as Code[]),
  v.description(
    Object.entries(errorKinds)
      .map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`)
      .join("\n"),
  ),
);

export const TargetSchema = v.pipe(
  v.object({
    http_status_code: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer())),
      v.description("HTTP status code of the page. `null` if its server didn't respond."),
    ),
    net_error: v.pipe(
      v.nullable(v.string()),
      v.description("Chromium's name of the network error."),
      v.examples(["net::ERR_CONNECTION_REFUSED"]),
    ),
    final_url: v.pipe(v.nullable(v.string()), v.description("URL of the page after redirects.")),
    retry_after: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(MIN_RETRY_AFTER_S),
        v.maxValue(MAX_RETRY_AFTER_S),
        v.description(
          `Seconds to wait before the next request to the page, from its \`Retry-After\`: from ${MIN_RETRY_AFTER_S} to ${MAX_RETRY_AFTER_S}.`,
        ),
      ),
    ),
  }),
  v.description("How the page responded, for a capture that failed after a request to the page."),
);

export const ErrorResponse = v.object({
  error: v.pipe(v.string(), v.description("One sentence: what failed, why, and how to fix it.")),
  code: ErrorCodeSchema,
  details: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.union([v.array(v.string()), v.nullable(v.union([v.number(), v.string()]))])),
      v.description(
        "Messages by option, or by another part of the request or capture; or figures that explain the error.",
      ),
    ),
  ),
  request_id: v.pipe(
    v.union([v.pipe(v.number(), v.integer()), v.string()]),
    v.description("The request number. If API Gateway rejected the request, the UUID that API Gateway gave it."),
  ),
  retryable: v.pipe(v.boolean(), v.description("`true` if the same request can succeed later.")),
  target: v.exactOptional(TargetSchema),
  problems: v.exactOptional(ProblemsSchema),
  support: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        "For an error of the service, where its operator has set one: the e-mail address or https address to which you report it, with " +
          "the `request_id`.",
      ),
      v.examples(["support@example.com"]),
    ),
  ),
  docs: v.exactOptional(
    v.pipe(
      v.string(),
      v.url(),
      v.description("Where the documentation describes this code, with its cause and its fix."),
      v.examples(["https://captures.example.com/docs/errors#TARGET_BLOCKED"]),
    ),
  ),
});

/** The JSON of an error. */
export type ErrorBody = Readonly<v.InferOutput<typeof ErrorResponse>>;
