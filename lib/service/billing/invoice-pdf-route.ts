// The route of an invoice as a PDF. It is not among the other routes of the account, because its handler runs Chromium.
import { defineRoute } from "../http/define-route.ts";

export const getInvoicePdfRoute = defineRoute({
  method: "GET",
  path: "/api/v1/account/invoices/{start}/pdf",
  functionName: "invoice-pdf",
  access: "usage",
  whileSuspended: true,
  deadlineSeconds: 60,
  env: ["BASE_URL", "MAX_CONCURRENT_CAPTURES"],
  operation: {
    id: "getInvoicePdf",
    tag: "Account",
    pathParameters: [
      {
        name: "start",
        in: "path",
        required: true,
        description: "The `period.start` of the invoice.",
        schema: { type: "string", format: "date-time" },
      },
    ],
    summary: "Download an invoice as a PDF",
    description:
      "For the current billing period, a statement of the cost so far. It isn't a capture, and costs nothing. Requires an API " +
      "key with the scope `usage`.",
    errors: ["NOT_FOUND"],
  },
  responses: {
    200: {
      description: "The PDF.",
      content: { "application/pdf": { type: "string", format: "binary" } },
      headers: ["Content-Disposition"],
    },
  },
  handler: async () => (await import("./invoice-pdf-handler.ts")).getInvoicePdf,
});
