// GET|HEAD /storage/{key}: checks a signed link and sends the stored result.

import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { serveResult } from "../lib/api/results/serve-result.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "RESULTS_BUCKET", "MAX_STREAMED_RESULT_BYTES");

export const handler = streamingRouteHandler<"GET /storage/{key+}">((request) => serveResult(request, env));
