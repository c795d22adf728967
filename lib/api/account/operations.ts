// The OpenAPI operations of the account.
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { headerRefs, standardHeaders } from "../openapi/headers.ts";
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

export const getAccountSettings = (): JsonSchema => ({
  operationId: "getAccountSettings",
  tags,
  summary: "Get the name of your account, the plan that you ask for, and whether you get alerts",
  description:
    "The owner of the account changes them in the dashboard; an API key can't. Requires an API key with the scope `usage`.",
  responses: { ...jsonResponses("GET /api/v1/account/settings", { 200: "The settings." }), ...errors },
});

/** The path parameters of an invoice. */
export const invoiceParameters: readonly JsonSchema[] = [
  {
    name: "start",
    in: "path",
    required: true,
    description: "The `period.start` of the invoice.",
    schema: { type: "string", format: "date-time" },
  },
];

export const getInvoicePdf = (): JsonSchema => ({
  operationId: "getInvoicePdf",
  tags,
  summary: "Download an invoice as a PDF",
  description:
    "For the current billing period, a statement of the cost so far. It isn't a capture, and costs nothing. Requires an API " +
    "key with the scope `usage`.",
  responses: {
    "200": {
      description: "The PDF.",
      headers: headerRefs(...standardHeaders, "Content-Disposition"),
      content: { "application/pdf": { schema: { type: "string", format: "binary" } } },
    },
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"),
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
