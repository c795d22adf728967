// `validate=true`: answers what a capture would be, without making it. It counts against the rate limit, and nothing else.
import { requireScope } from "../account/authenticate.ts";
import { creditFor } from "../billing/quota.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { requireJobAddresses } from "../jobs/job-addresses.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import type { Environment } from "../platform/environment.ts";
import { requireKnownReceiver } from "../receivers/known-receiver.ts";
import { loggableOptions } from "../usage/loggable-options.ts";
import { type Admission, authenticateCapture } from "./admit-capture.ts";
import type { CaptureValidation } from "./responses.ts";
import { requireSigningKey } from "./signing-key.ts";
import { isTestCaller } from "./test-caller.ts";

const billedAs = { screenshots: "screenshot", videos: "video" } as const;

/** Throws the errors with which the capture itself would be refused before anything is attempted, except for its quota. */
export async function validateCapture(
  request: ApiRequest,
  { parsing, isSigned }: Admission,
  env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">,
): Promise<ApiResponse<ResponseBody<typeof CaptureValidation>>> {
  const caller = await authenticateCapture(request, isSigned, env);
  await enforceRateLimit(request, caller, env);
  requireScope(caller, "capture");
  const { options } = await parsing;
  requireSigningKey(caller, options);
  requireJobAddresses(options, caller.account.id, allowedOrigins());
  await requireKnownReceiver(options, caller.account.id, env);
  const { validate: _, ...resolved } = options;
  return json(200, {
    valid: true,
    billed_as: isTestCaller(caller) ? null : billedAs[creditFor(options.format)],
    options: loggableOptions(resolved),
  });
}
