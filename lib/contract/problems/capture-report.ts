// How a capture came about, as `metadata_report` returns it.
import * as v from "valibot";
import { QualitySchema } from "./problem.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const milliseconds = v.pipe(v.number(), v.minValue(0));
const omitted = v.exactOptional(v.pipe(count, v.description("How many more there are.")));

/** Most entries of the lists of a report. */
export const MAX_REPORT_ENTRIES = {
  steps: 150,
  requests: 100,
  failures: 20,
  slowest: 10,
  errors: 20,
  fonts: 30,
} as const;

/** Longest text in a report. */
export const MAX_REPORT_CHARACTERS = 500;

const TimedRequest = v.object({
  url: v.pipe(v.string(), v.description("URL without credentials and query.")),
  type: v.pipe(v.string(), v.description("`document`, `image`, `fetch`, and so on.")),
  status_code: v.nullable(count),
  starts_at_ms: milliseconds,
  duration_ms: v.pipe(v.nullable(milliseconds), v.description("`null` while there is no end.")),
  bytes: count,
  failed: v.pipe(v.nullable(v.string()), v.description("Why it failed. `null` if it didn't.")),
});

export const ReportSchema = v.pipe(
  v.object({
    quality: QualitySchema,
    duration_ms: v.pipe(milliseconds, v.description("From the request to the capture to its result.")),
    clock: v.pipe(
      v.picklist(["virtual", "real", "exact"]),
      v.description(
        "The clock of the page: `virtual` if waits passed faster than real time, `exact` for a `deterministic` capture.",
      ),
    ),
    frame_step_ms: v.optional(
      v.pipe(
        v.number(),
        v.description(
          "Milliseconds of the page's clock between two frames of a `deterministic` capture: 16, or 96 to 256 for a page that never stands still.",
        ),
      ),
    ),
    phases: v.array(v.object({ name: v.string(), starts_at_ms: milliseconds, duration_ms: milliseconds })),
    steps: v.pipe(
      v.array(v.object({ name: v.string(), phase: v.string(), starts_at_ms: milliseconds, duration_ms: milliseconds })),
      v.description("What was done in each phase, in order."),
    ),
    waits: v.pipe(
      v.array(
        v.object({
          name: v.string(),
          waited_for: v.nullable(v.string()),
          duration_ms: milliseconds,
          outcome: v.pipe(
            v.picklist(["met", "capped", "gave_up"]),
            v.description(
              "`met`: its condition became true. `capped`: its own limit ended it. `gave_up`: the time of the capture did.",
            ),
          ),
        }),
      ),
      v.description("What the capture waited for."),
    ),
    requests: v.object({
      count,
      failed: count,
      blocked: count,
      bytes: count,
      by_type: v.record(v.string(), v.object({ count, bytes: count })),
      failures: v.array(v.object({ url: v.string(), reason: v.string() })),
      slowest: v.array(TimedRequest),
      first: v.pipe(v.array(TimedRequest), v.description("The first requests, in the order they started.")),
      omitted,
    }),
    errors: v.pipe(
      v.array(v.string()),
      v.description("Errors in the page's console, and those that no script caught."),
    ),
    errors_omitted: omitted,
    redirects: v.array(v.object({ url: v.string(), status_code: count })),
    connection: v.object({
      address: v.pipe(
        v.nullable(v.string()),
        v.description(
          "IP address that the page's host name resolved to. `null` behind a `proxy`, and without a `url`.",
        ),
      ),
      tls: v.nullable(
        v.object({
          protocol: v.string(),
          issuer: v.string(),
          valid_until: v.pipe(v.string(), v.description("When the certificate expires.")),
        }),
      ),
    }),
    fonts: v.array(v.object({ family: v.string(), web_font: v.boolean() })),
    images: v.object({ total: count, failed: count, pending: count }),
    page: v.object({
      width: count,
      height: count,
      elements: count,
      judged_elements: v.pipe(
        count,
        v.description("Elements that were looked at for problems: of a large page, a sample."),
      ),
    }),
    actions: v.object({
      blocked_requests: count,
      cookie_banner: v.nullable(v.string()),
      dialogs: v.pipe(count, v.description("Dialogs and banners that were closed or hidden.")),
      unlocked: v.boolean(),
      clicked: v.array(v.string()),
      hidden: v.array(v.string()),
    }),
    limits: v.pipe(
      v.array(v.object({ limit: v.string(), used: v.number(), allowed: v.number() })),
      v.description("Limits of which more than half was used."),
    ),
    attempts: v.pipe(
      v.array(
        v.object({
          reason: v.pipe(v.string(), v.description("Why there was this attempt.")),
          duration_ms: milliseconds,
          quality: v.nullable(count),
          options: v.pipe(
            v.record(v.string(), v.unknown()),
            v.description("Options that `self_repair` added or changed."),
          ),
          chosen: v.pipe(v.boolean(), v.description("`true` for the attempt whose result you got.")),
        }),
      ),
      v.description("The attempts at the capture."),
    ),
  }),
  v.description("How the capture came about. Set with `metadata_report`."),
);

export type CaptureReport = v.InferOutput<typeof ReportSchema>;
