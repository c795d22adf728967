// The job's state as the API shows it.
import { describe, expect, test } from "vitest";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { jobState } from "../../../lib/service/jobs/job-state.ts";
import type { StoredCapture } from "../../../lib/service/results/stored-capture.ts";
import {
  finishDeliveryAttempt,
  newWebhook,
  restartedWebhook,
  startDeliveryAttempt,
  type Webhook,
} from "../../../lib/service/webhooks/webhook.ts";
import { aQueuedJob, withOutcome } from "../../support/queued-job.ts";

const EXPIRY = Date.UTC(2026, 1, 1);
const stored: StoredCapture = {
  key: "1-day/image.png",
  format: "png",
  mime_type: "image/png",
  size_bytes: 123,
  final_url: "https://example.com/",
  status_code: 200,
  warnings: ["It is late."],
  metadata: { page_title: "Example" },
  slices: [{ key: "1-day/slice.png", top: 0, height: 10, size_bytes: 12 }],
  expires_at: EXPIRY,
};
const links = { baseUrl: "https://api.example", secret: "secret" };

const base = { id: 7, created_at: "2026-01-31T00:00:00.000Z", external_identifier: "order-1" };
const aJob = (parts: Partial<Job> = {}) => aQueuedJob({ ...base, ...parts });
const aSuccess = (kept: unknown = { inline: "{}" }) => {
  const times = { finished_at: "2026-01-31T00:00:01.000Z", response_time_ms: 900 };
  const result = { mime_type: "image/png", size_bytes: 123, expires_at: EXPIRY, stored: kept, cache_hash: null };
  const job = aJob({ status: "success", ...times, from_cache: true });
  return withOutcome(job, { status: "success", result, from_cache: true, error: null });
};
const view = (now: number) => ({ results: new Map([[0, stored]]), links, now });
const withoutResult = { results: new Map(), links, now: 0 };

test.each(["queued", "processing"] as const)("job state: a job that is %s has no result and no error", (status) => {
  expect(jobState(aJob({ status, lease: { holder: "me", until: 1 } }), withoutResult)).toEqual({
    request_id: 7,
    status,
    created_at: base.created_at,
    finished_at: null,
    external_identifier: "order-1",
    page_url: null,
    format: "png",
    webhook_target: null,
  });
});

describe("job state: a successful capture", () => {
  const result = {
    request_id: 7,
    status: "success",
    created_at: base.created_at,
    finished_at: "2026-01-31T00:00:01.000Z",
    external_identifier: "order-1",
    page_url: null,
    format: "png",
    webhook_target: null,
    expires_at: "2026-02-01T00:00:00.000Z",
    mime_type: "image/png",
    file_size_bytes: 123,
    response_time_ms: 900,
    from_cache: true,
  };
  const facts = { metadata: { page_title: "Example" }, warnings: ["It is late."] };

  test("has its result until the links expire", () => {
    expect(jobState(aSuccess(), view(EXPIRY - 1))).toEqual({
      ...result,
      ...facts,
      url: expect.stringMatching(/^https:\/\/api\.example\/storage\/1-day\/image\.png\?e=1769904000&s=/),
      slices: [
        { url: expect.stringMatching(/\/storage\/1-day\/slice\.png\?/), top: 0, height: 10, file_size_bytes: 12 },
      ],
    });
  });

  test("has no links after they have expired", () => {
    expect(jobState(aSuccess(), view(EXPIRY))).toEqual({
      ...result,
      ...facts,
      url: null,
      unavailable_reason: "expired",
    });
  });

  test("has neither links nor metadata after its result was deleted or swept", () => {
    const gone = { ...result, url: null, unavailable_reason: "deleted" };
    expect(jobState(aSuccess(null), withoutResult)).toEqual(gone);
    expect(jobState(aSuccess(null), { ...withoutResult, now: EXPIRY })).toEqual(gone);
    expect(jobState(aSuccess(), withoutResult)).toEqual(gone);
  });
});

test("job state: a failed capture has the error that a synchronous capture returns", () => {
  const error = { error: "It failed.", code: "CAPTURE_TIMEOUT", request_id: 7, retryable: true };
  const job = aJob({ status: "failed", finished_at: "2026-01-31T00:00:01.000Z", error });
  expect(jobState(job, withoutResult)).toMatchObject({ status: "failed", error });
});

test("job state: the webhook has its deliveries and its origin, but not its URL", () => {
  const delivery = { at: "2026-01-31T00:00:02.000Z", http_status_code: 500, error: "No.", duration_ms: 5 };
  const webhook = {
    ...newWebhook({ url: "https://ann:token@x.example:8443/?token=1", is_signed: true, notifies_on_failure: true }),
  };
  const job = aJob({ webhook: { ...webhook, deliveries: [delivery] } });
  expect(jobState(job, withoutResult)).toMatchObject({
    webhook: { status: "pending", deliveries: [delivery] },
    webhook_target: "https://x.example:8443",
  });
  expect(JSON.stringify(jobState(job, withoutResult))).not.toContain("token");
});

test("job state: contains neither the caller nor the lease", () => {
  const reported = JSON.stringify(jobState(aJob({ lease: { holder: "holder-1", until: 1 } }), withoutResult));
  expect(reported).not.toMatch(/holder-1|"request"|caller|allowance/);
});

describe("job state: the webhook", () => {
  const DUE = Date.UTC(2026, 0, 31, 0, 1);
  const nextOf = (webhook: Webhook) =>
    (jobState(aJob({ status: "failed", webhook }), withoutResult) as { webhook: Record<string, unknown> }).webhook[
      "next_attempt_at"
    ];
  const webhook = newWebhook({ url: "https://a.example/", is_signed: true, notifies_on_failure: true });
  const failure = { at: base.created_at, http_status_code: 500, error: "It failed.", duration_ms: 1 };
  const failed = (status: number) =>
    finishDeliveryAttempt(
      startDeliveryAttempt(webhook, { holder: "a", now: DUE - 5_000 }),
      { ...failure, http_status_code: status },
      {
        round: 0,
        now: DUE - 5_000,
        random: 0.5,
      },
    );

  test("has the time of the next attempt after a failed one", () => {
    expect(nextOf(failed(500))).toBe("2026-01-31T00:01:00.000Z");
  });

  test.each([
    ["it waits for the end of its job, or is about to be tried", webhook],
    ["it is being tried", startDeliveryAttempt(failed(500), { holder: "b", now: DUE })],
    ["it is sent again from the start", restartedWebhook(failed(500))],
    ["its receiver wants no more tries", failed(410)],
    [
      "it was delivered",
      finishDeliveryAttempt(webhook, { ...failure, error: null }, { round: 0, now: DUE, random: 0.5 }),
    ],
  ])("has no next attempt while %s", (_, each) => {
    expect(nextOf(each)).toBeNull();
  });
});
