// `validate=true` with `outputs`: answers what the outputs would be, without capturing them. It counts against the rate limit, and nothing else.
import type { NamedOutput } from "../../contract/options/outputs.ts";
import { requireScope } from "../account/authenticate.ts";
import { authenticateCapture } from "../captures/admit-capture.ts";
import { requireSigningKey } from "../captures/signing-key.ts";
import { isTestCaller } from "../captures/test-caller.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { requireJobAddresses } from "../jobs/job-addresses.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import type { Environment } from "../platform/environment.ts";
import { requireKnownReceiver } from "../receivers/known-receiver.ts";
import { loggableOptions } from "../usage/loggable-options.ts";
import { billedCredits } from "./describe-output.ts";
import type { ParsedOutputs } from "./output-request.ts";
import type { OutputsValidation } from "./responses.ts";

/** Throws the errors with which the request itself would be refused before anything is attempted, except for its quota. */
export async function validateOutputs(
  request: ApiRequest,
  parsing: Promise<ParsedOutputs>,
  env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">,
): Promise<ApiResponse<ResponseBody<typeof OutputsValidation>>> {
  const caller = await authenticateCapture(request, false, env);
  await enforceRateLimit(request, caller, env);
  requireScope(caller, "capture");
  const { outputs } = await parsing;
  for (const { options } of outputs) {
    requireSigningKey(caller, options);
    requireJobAddresses(options, caller.account.id, allowedOrigins());
    await requireKnownReceiver(options, caller.account.id, env);
  }
  const planned = outputs.map(({ options }) => ({ format: options.format, fromCache: false }));
  return json(200, {
    valid: true,
    billed: billedCredits(planned, isTestCaller(caller)),
    outputs: outputs.map(describeValid),
  });
}

function describeValid({ name, options }: NamedOutput) {
  const { validate: _, ...resolved } = options;
  return { name, options: loggableOptions(resolved) };
}
