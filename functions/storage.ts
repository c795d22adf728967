// GET|HEAD /storage/{key}: checks a signed link and redirects to the stored result.
import { ApiError } from "../lib/contract/errors.ts";
import { environment } from "../lib/platform/environment.ts";
import { findLinkSecret } from "../lib/results/link-secret-store.ts";
import { checkLink } from "../lib/results/result-link.ts";
import { hasResult, presignResult } from "../lib/results/result-store.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import type { ApiRequest } from "../lib/runtime/api-request.ts";

const { ACCOUNTS_TABLE, RESULTS_BUCKET } = environment("ACCOUNTS_TABLE", "RESULTS_BUCKET");

export const handler = apiHandler(async ({ method, pathParameters, query, receivedAt }) => {
  const { key = "" } = pathParameters;
  const [e, s] = [only(query, "e"), only(query, "s")];
  const secret = await findLinkSecret(ACCOUNTS_TABLE);
  const state = secret === undefined ? "forged" : checkLink({ key, e, s }, { secret, now: receivedAt });
  if (state === "expired") throw new ApiError("GONE", "This result has expired. Capture the page again.");
  if (state === "forged" || !(await hasResult(RESULTS_BUCKET, key))) {
    throw new ApiError("NOT_FOUND", "There is no result at this address. Use the address exactly as it was given.");
  }
  const location = await presignResult(RESULTS_BUCKET, key, method === "HEAD" ? "HEAD" : "GET");
  return { status: 302, headers: { Location: location, "Cache-Control": "no-store" } };
});

/** The value of a parameter, empty unless it is there exactly once: of two, somebody before us may have read the other. */
function only(query: ApiRequest["query"], name: string): string {
  const [first, ...others] = query.filter(([each]) => each === name);
  return first && others.length === 0 ? first[1] : "";
}
