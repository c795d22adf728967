// The OpenAPI operations of the account.
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { jsonResponses } from "../openapi/success-responses.ts";

const tags = ["Account"];

const errors = errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN");

export const getAccount = (): JsonSchema => ({
  operationId: "getAccount",
  tags,
  summary: "Get your plan, usage, and costs",
  description:
    "Counts only captures that succeeded. Amounts are dollars as decimal text, to avoid rounding errors. Requires an API " +
    "key with the scope `usage`.",
  responses: {
    ...jsonResponses("GET /api/v1/account", { 200: "The account in its current billing period." }),
    ...errors,
  },
});

export const listInvoices = (): JsonSchema => ({
  operationId: "listInvoices",
  tags,
  summary: "List your invoices, newest first",
  description:
    "The first invoice is that of the current billing period, with its cost so far. A past period keeps its plan and " +
    "prices. Requires an API key with the scope `usage`.",
  responses: {
    ...jsonResponses("GET /api/v1/account/invoices", { 200: "All billing periods of the account." }),
    ...errors,
  },
});
