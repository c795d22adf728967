// GET|HEAD /storage/{key}: checks a signed link and answers with the stored result.
import { environment } from "../lib/platform/environment.ts";
import { streamingApiHandler } from "../lib/runtime/api-handler.ts";
import { serveResult } from "../lib/runtime/serve-result.ts";

const places = environment("ACCOUNTS_TABLE", "RESULTS_BUCKET", "MAX_STREAMED_RESULT_BYTES");

export const handler = streamingApiHandler((request) => serveResult(request, places));
