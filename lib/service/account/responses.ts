// What the account resource answers: the account in its current billing period, and its invoices.
import * as v from "valibot";
import { countField, described, integerField, timestamp } from "../http/response-fields.ts";
import { AccountSchema } from "./account.ts";

/** Dollars as decimal text. */
const amount = v.pipe(v.string(), v.metadata({ pattern: "^\\d+\\.\\d{2,4}$" }));

const { plan, label, email, requested_plan, quota_alerts, key_alerts, store_thumbnails } = AccountSchema.entries;

export const Period = v.pipe(
  v.object({ start: timestamp, end: v.pipe(timestamp, v.description("The first moment after the period.")) }),
  v.description(
    "A billing period. It lasts one month, counted from the day and time when the account took its first paid plan, and " +
      "starts on the last day of shorter months. For a trial, it is the whole trial.",
  ),
);

export const QuotaResponse = v.object({
  limit: v.pipe(countField, v.description("Number of captures included.")),
  used: v.pipe(countField, v.description("Number of captures that succeeded.")),
  remaining: v.pipe(countField, v.description("Number of captures left. Never less than 0.")),
});

export const QuotasResponse = v.pipe(
  v.union([
    v.object({
      screenshots: described(QuotaResponse, "Images, PDFs, and documents."),
      videos: described(QuotaResponse, "Videos. Each video counts once, regardless of its duration."),
    }),
    v.object({ captures: described(QuotaResponse, "Captures of every kind.") }),
  ]),
  v.description("The quotas of the plan: either one for screenshots and one for videos, or one for all captures."),
);

export const Overage = v.pipe(
  v.object({
    units: countField,
    unit_price: v.pipe(
      v.nullable(amount),
      v.description("Price of each capture beyond the quota. `null` if the plan blocks captures beyond its quota."),
    ),
    amount: v.pipe(amount, v.description("Cost of all captures beyond the quota, rounded half up to cents.")),
  }),
  v.description("Captures beyond the quota."),
);

/** Fields that an account and an invoice share. */
const billed = {
  plan,
  quotas: QuotasResponse,
  overage: Overage,
  currency: v.pipe(v.literal("usd"), v.description("The currency of all amounts.")),
  price: v.pipe(amount, v.description("Price of the plan in this period.")),
  total: v.pipe(amount, v.description("Price plus overage.")),
};

const trial = v.object({
  ends_at: timestamp,
  is_over: v.pipe(
    v.boolean(),
    v.description("`true` if the trial has ended. Captures are then blocked even if quota remains."),
  ),
});

const limitOrigin = {
  until: v.pipe(
    v.nullable(timestamp),
    v.description(
      "When a limit ends that the operator of the service has set, and that of the plan applies again. `null` if it has no end, and for " +
        "the limit of the plan.",
    ),
  ),
  is_override: v.pipe(
    v.boolean(),
    v.description(
      "`true` if the operator of the service has set the limit for this account; `false` if it is the limit of the plan.",
    ),
  ),
};

export const AccountLimit = v.pipe(
  v.object({ value: v.pipe(countField, v.description("How many are possible.")), ...limitOrigin }),
  v.description("A limit of the account: that of its plan, or one that the operator of the service has set."),
);

export const DailyLimit = v.pipe(
  v.object({
    value: v.pipe(v.nullable(countField), v.description("How many are possible. `null` if there is no limit.")),
    ...limitOrigin,
  }),
  v.description("A limit of the account that no plan has, but the operator of the service can set."),
);

const limits = v.pipe(
  v.object({
    requests_per_minute: described(AccountLimit, "Requests in any 60 seconds, as in `rate_limit`."),
    concurrent_captures: described(
      AccountLimit,
      "Synchronous captures at the same time. Beyond it, they are refused with 503 `CAPACITY`, as also when the service runs as many " +
        "as it can.",
    ),
    captures_per_day: described(
      DailyLimit,
      "Successful captures on a day in UTC, with all API keys but those for tests. Beyond it, captures are refused with 402 " +
        "`QUOTA_EXCEEDED`. Captures from before the limit was set aren't counted.",
    ),
    api_keys: described(
      AccountLimit,
      "API keys that aren't revoked. No key beyond it can be created; those that exist continue to work.",
    ),
    concurrent_jobs: described(
      AccountLimit,
      "Asynchronous captures that are queued or processing. Beyond it, they are refused with 429 `RATE_LIMITED`.",
    ),
  }),
  v.description("How much the account can do at a time."),
);

/** What is scheduled for the end of a billing period. */
export const ScheduledPlanResponse = v.object({
  plan: v.pipe(v.nullable(plan), v.description("The plan from then on; `null` if there is none after a cancellation.")),
  at: v.pipe(timestamp, v.description("The end of the billing period. Until then, the change can be withdrawn.")),
});

export const AccountResponse = v.pipe(
  v.object({
    id: integerField,
    plan,
    created_at: timestamp,
    trial: v.pipe(
      v.nullable(trial),
      v.description("The free trial. `null` once the account has, or has had, a paid plan."),
    ),
    scheduled_plan: v.pipe(
      v.nullable(ScheduledPlanResponse),
      v.description("What the plan becomes at the end of this billing period. `null` if it stays."),
    ),
    plan_ended_at: v.pipe(
      v.nullable(timestamp),
      v.description("When a plan ended that was cancelled. `null` while the account has a plan or its trial."),
    ),
    billing_period: Period,
    quotas: billed.quotas,
    overage: billed.overage,
    currency: billed.currency,
    price: billed.price,
    total: billed.total,
    free_failures: v.pipe(
      v.object({
        limit: v.pipe(countField, v.description("As many as captures that succeeded in the period, and at least 100.")),
        used: v.pipe(countField, v.description("Those of the period, and those that captures in progress may need.")),
      }),
      v.description(
        "Failures that your own `fail_if_*` rules, `min_quality`, `scripts`, `wait_for_expression`, storage, or cancellations caused. They " +
          "are free; beyond the limit, requests that can fail like that are refused with `FREE_FAILURES_USED`.",
      ),
    ),
    rate_limit: v.object({
      limit: v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.description("Number of requests the account can send in any window of `window_seconds`."),
      ),
      window_seconds: v.pipe(v.literal(60), v.metadata({ type: "integer" })),
    }),
    limits,
  }),
  v.description("The account in its current billing period."),
  v.examples([
    {
      id: 243680359552001,
      plan: "starter" as const,
      created_at: "2026-10-31T09:30:00.000Z",
      trial: null,
      scheduled_plan: null,
      plan_ended_at: null,
      billing_period: { start: "2026-11-30T09:30:00.000Z", end: "2026-12-31T09:30:00.000Z" },
      quotas: {
        screenshots: { limit: 5_000, used: 5_120, remaining: 0 },
        videos: { limit: 150, used: 12, remaining: 138 },
      },
      overage: { units: 120, unit_price: "0.005", amount: "0.60" },
      currency: "usd" as const,
      price: "12.00",
      total: "12.60",
      free_failures: { limit: 5_132, used: 7 },
      rate_limit: { limit: 40, window_seconds: 60 as const },
      limits: {
        requests_per_minute: { value: 40, until: null, is_override: false },
        concurrent_captures: { value: 4, until: null, is_override: false },
        captures_per_day: { value: 500, until: "2027-01-01T00:00:00.000Z", is_override: true },
        api_keys: { value: 48, until: null, is_override: false },
        concurrent_jobs: { value: 50, until: null, is_override: false },
      },
    },
  ]),
);

export const AccountSettings = v.pipe(
  v.object({
    id: integerField,
    label: v.pipe(label, v.description("Name of the account, on its invoices.")),
    email: v.pipe(email, v.description("Address by which its owner signs in. `null` without one.")),
    plan,
    requested_plan: v.pipe(
      requested_plan,
      v.description("The plan that you ask the operator for. `null` if there is no request."),
    ),
    scheduled_plan: v.pipe(
      v.nullable(ScheduledPlanResponse),
      v.description("What the plan becomes at the end of the billing period. `null` if it stays."),
    ),
    quota_alerts: v.pipe(
      quota_alerts,
      v.description("`true` if `email` gets a message when 50, 80, and 100 % of a quota are used."),
    ),
    key_alerts: v.pipe(
      key_alerts,
      v.description(
        "`true` if `email` gets a message when a new API key, or the new text of a rotated one, is first used.",
      ),
    ),
    store_thumbnails: v.pipe(
      store_thumbnails,
      v.description(
        "`true` if a thumbnail of each result is stored, unless `store_thumbnail` of the capture says otherwise.",
      ),
    ),
  }),
  v.description("What the owner of an account can change, with what it has."),
  v.examples([
    {
      id: 243680359552001,
      label: "Example Ltd",
      email: "owner@example.com",
      plan: "starter" as const,
      requested_plan: "pro" as const,
      scheduled_plan: null,
      quota_alerts: true,
      key_alerts: true,
      store_thumbnails: true,
    },
  ]),
);

const payment = {
  payment: v.pipe(
    v.nullable(v.picklist(["unpaid", "paid", "void"])),
    v.description(
      "Whether the invoice is paid; `void` if it doesn't have to be. One of $0.00 is `paid`. `null` if the service records no payments.",
    ),
  ),
  due_at: v.pipe(
    v.nullable(timestamp),
    v.description("When the invoice becomes overdue. `null` if nothing is to be paid, or no payments are recorded."),
  ),
  payment_failed_at: v.pipe(
    v.nullable(timestamp),
    v.description("When a payment failed last. `null` if none has failed, or one has succeeded since."),
  ),
};

/** An invoice that is closed and not paid. */
export const UnpaidInvoiceResponse = v.object({
  number: v.string(),
  period: Period,
  currency: billed.currency,
  total: billed.total,
  due_at: timestamp,
  payment_failed_at: v.nullable(timestamp),
});

export const PaymentAddress = v.object({
  url: v.pipe(v.string(), v.description("Address of the operator's page for payments, with a signature.")),
  expires_at: timestamp,
});

export const Invoice = v.pipe(
  v.object({
    period: Period,
    status: v.pipe(
      v.picklist(["open", "closed"]),
      v.description(
        "An invoice is `closed` 15 minutes after its period ends, when the last captures of the period have finished. A " +
          "closed invoice doesn't change.",
      ),
    ),
    ...payment,
    ...billed,
  }),
  v.description("The cost of a billing period. For the current period, the cost so far."),
  v.examples([
    {
      period: { start: "2026-10-31T09:30:00.000Z", end: "2026-11-30T09:30:00.000Z" },
      status: "closed" as const,
      payment: "paid" as const,
      due_at: null,
      payment_failed_at: null,
      plan: "pro" as const,
      currency: "usd" as const,
      price: "49.00",
      quotas: { captures: { limit: 20_000, used: 20_004, remaining: 0 } },
      overage: { units: 4, unit_price: "0.0035", amount: "0.01" },
      total: "49.01",
    },
  ]),
);

export const Invoices = v.object({
  data: v.pipe(v.array(Invoice), v.description("Every billing period since the account was opened, newest first.")),
});
