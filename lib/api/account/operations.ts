// The operations that tell of the account, as OpenAPI shows them.
import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { json } from "../openapi/other-operations.ts";

const tags = ["Account"];

const answers = (description: string, schema: string): JsonSchema => ({
  "200": json(description, { $ref: `#/components/schemas/${schema}` }),
  ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN"),
});

export const getAccount = (): JsonSchema => ({
  operationId: "getAccount",
  tags,
  summary: "See the plan, what of it is used, and what that costs",
  description:
    "Only captures that succeeded are counted. Amounts are dollars as decimal text, so that no program rounds them. " +
    "Needs a key with the scope `usage`.",
  responses: answers("The account in its running billing period.", "Account"),
});

export const listInvoices = (): JsonSchema => ({
  operationId: "listInvoices",
  tags,
  summary: "List what each billing period cost, newest first",
  description:
    "The first is the period that is running, at its cost so far. A period that has ended keeps the plan and the " +
    "prices that it had. Needs a key with the scope `usage`.",
  responses: answers("All billing periods of the account.", "Invoices"),
});
