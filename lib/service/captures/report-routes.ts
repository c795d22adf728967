// The route of the report of a capture.
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { defineRoute } from "../http/define-route.ts";

export const getCaptureReportRoute = defineRoute({
  path: "/api/v1/screenshot/{id}/report",
  method: "GET",
  access: "capture",
  functionName: "api",
  env: ["ACTIVITY_TABLE", "USAGE_RETENTION_DAYS", "RESULTS_BUCKET"],
  operation: {
    id: "getCaptureReport",
    tag: "Captures",
    pathParameters: [
      {
        name: "id",
        in: "path",
        required: true,
        description: "The `request_id` of the capture, which is also in the header `X-Request-Id`.",
        schema: { type: "integer" },
      },
    ],
    summary: "Get the report of a capture",
    description:
      "How a capture with `metadata_report=true` came about. With `Accept: text/html`, a page that shows the result, its problems, " +
      "and a timeline of phases and requests. A report is stored as long as its result, or for a day. Requires an API key with the " +
      "scope `capture`.",
    errors: ["NOT_FOUND"],
  },
  responses: {
    200: { description: "The report.", json: [ReportSchema], content: { "text/html": { type: "string" } } },
  },
  handler: async () => (await import("./serve-report.ts")).getCaptureReport,
});
