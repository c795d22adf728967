// What a capture answers that exceeds the quota. All other errors are `ErrorResponse` without further fields.
import * as v from "valibot";
import { ErrorResponse } from "../../contract/errors/error-response.ts";
import { quotaNames } from "../../contract/plans.ts";
import { countField, timestamp } from "../http/response-fields.ts";

export const QuotaExceeded = v.pipe(
  v.object({
    ...ErrorResponse.entries,
    code: v.literal("QUOTA_EXCEEDED"),
    details: v.object({
      quota: v.pipe(
        v.picklist([...quotaNames, "tests", "key", "captures_per_day"]),
        v.description(
          "The quota that is used up; `tests` is that of API keys for tests, `key` is the `monthly_limit` of the API key, and " +
            "`captures_per_day` is the daily limit that the operator of the service has set for the account.",
        ),
      ),
      limit: v.pipe(countField, v.description("Number of captures the quota includes.")),
      used: v.pipe(countField, v.description("Number of captures used, including captures in progress.")),
      resets_at: v.pipe(
        v.nullable(timestamp),
        v.description("When the quota resets. `null` for a trial, which doesn't reset."),
      ),
    }),
  }),
  v.description("The error of a capture that exceeds the quota."),
  v.examples([
    {
      error: "The free trial is used up: 300 of 300 screenshots are taken. Choose a paid plan to go on.",
      code: "QUOTA_EXCEEDED" as const,
      details: { quota: "screenshots" as const, limit: 300, used: 300, resets_at: null },
      request_id: 243680361387214,
      retryable: false,
    },
  ]),
);
