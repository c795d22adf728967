// The state of an account and its invoices, as OpenAPI shows them.

import { planNames } from "../../billing/plans.ts";
import type { JsonSchema } from "../../options/option.ts";
import { object } from "../openapi/object-schema.ts";
import { timestamp } from "../openapi/timestamp-schemas.ts";

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const count = { type: "integer", minimum: 0 };
const amount = { type: "string", pattern: "^\\d+\\.\\d{2,4}$" };
const currency = { type: "string", const: "usd", description: "The currency of all amounts." };

/** What an account and an invoice share: the quotas of a period, what was captured beyond them, and its cost so far. */
const billed = {
  plan: { type: "string", enum: [...planNames] },
  quotas: schema("Quotas"),
  overage: schema("Overage"),
  currency,
  price: { ...amount, description: "What the plan costs in this period." },
  total: { ...amount, description: "Price and overage." },
};

export const accountSchemas: Readonly<Record<string, JsonSchema>> = {
  Account: {
    description: "The account, and how it stands in the billing period that is running.",
    ...object({
      id: { type: "integer" },
      plan: billed.plan,
      created_at: timestamp,
      trial: {
        description: "The free trial; null once a plan is paid for.",
        anyOf: [
          object({
            ends_at: timestamp,
            is_over: {
              type: "boolean",
              description: "True when captures are refused, whatever remains of the quotas.",
            },
          }),
          { type: "null" },
        ],
      },
      billing_period: schema("Period"),
      quotas: billed.quotas,
      overage: billed.overage,
      currency: billed.currency,
      price: billed.price,
      total: billed.total,
      rate_limit: object({
        limit: { type: "integer", minimum: 1, description: "Requests that the account may send in any such window." },
        window_seconds: { type: "integer", const: 60 },
      }),
    }),
    examples: [
      {
        id: 243680359552001,
        plan: "starter",
        created_at: "2026-10-31T09:30:00.000Z",
        trial: null,
        billing_period: { start: "2026-11-30T09:30:00.000Z", end: "2026-12-31T09:30:00.000Z" },
        quotas: {
          screenshots: { limit: 5_000, used: 5_120, remaining: 0 },
          videos: { limit: 150, used: 12, remaining: 138 },
        },
        overage: { units: 120, unit_price: "0.005", amount: "0.60" },
        currency: "usd",
        price: "12.00",
        total: "12.60",
        rate_limit: { limit: 40, window_seconds: 60 },
      },
    ],
  },
  Invoices: object({
    data: {
      type: "array",
      description: "Every billing period since the account was opened, newest first.",
      items: schema("Invoice"),
    },
  }),
  Invoice: {
    description: "What a billing period cost, or costs so far.",
    ...object({
      period: schema("Period"),
      status: {
        type: "string",
        enum: ["open", "closed"],
        description:
          "`closed` when nothing of it changes any more: 15 minutes after the end, when the last captures of the " +
          "period have ended, too.",
      },
      ...billed,
    }),
    examples: [
      {
        period: { start: "2026-10-31T09:30:00.000Z", end: "2026-11-30T09:30:00.000Z" },
        status: "closed",
        plan: "pro",
        currency: "usd",
        price: "49.00",
        quotas: { captures: { limit: 20_000, used: 20_004, remaining: 0 } },
        overage: { units: 4, unit_price: "0.0035", amount: "0.01" },
        total: "49.01",
      },
    ],
  },
  Period: {
    description:
      "A month that begins on the day and at the time at which the account took its first paid plan, or on the last " +
      "day of a month that is too short; or the days of a trial.",
    ...object({ start: timestamp, end: { ...timestamp, description: "The first moment after it." } }),
  },
  Quotas: {
    description: "Two quotas apart, or one from which everything is taken, as the plan has it.",
    oneOf: [
      object({
        screenshots: { description: "Images, PDFs and documents.", ...schema("Quota") },
        videos: { description: "Videos, each of which counts once, however long it is.", ...schema("Quota") },
      }),
      object({ captures: { description: "Captures of every kind.", ...schema("Quota") } }),
    ],
  },
  Quota: object({
    limit: { ...count, description: "Captures that are included." },
    used: { ...count, description: "Captures that succeeded." },
    remaining: { ...count, description: "Captures that are left of it; never less than 0." },
  }),
  Overage: {
    description: "Captures beyond the quotas.",
    ...object({
      units: count,
      unit_price: {
        ...amount,
        type: ["string", "null"],
        description: "What each of them costs; null where there are none to be had, because captures are refused.",
      },
      amount: { ...amount, description: "What they cost together, rounded to cents, half a cent up." },
    }),
  },
};
