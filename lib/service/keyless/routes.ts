// The route of captures without an API key. It is for the landing page alone, so it is outside of the API.
import { defineRoute } from "../http/define-route.ts";
import { keylessEntries, parseKeyless } from "./keyless-options.ts";

export const tryCaptureRoute = defineRoute({
  method: "POST",
  path: "/try",
  functionName: "try",
  access: "page",
  deadlineSeconds: 30,
  env: ["USAGE_TABLE", "ACTIVITY_TABLE", "KEYLESS_CAPTURES_PER_DAY", "MAX_CONCURRENT_KEYLESS_CAPTURES"],
  options: { entries: keylessEntries, parse: parseKeyless },
  responses: {
    200: { description: "The phases of the capture as they start, and its picture." },
    204: {
      description:
        "Without an address, nothing is captured, but the browser is started while the network has captures left.",
    },
  },
  handler: async () => (await import("./try-handler.ts")).tryCapture,
});
