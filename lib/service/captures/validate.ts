// `validate=true`: answers what the captures of a request would be, without making them. It counts against the rate limit, and nothing else.
import { requireScope } from "../account/authenticate.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { enforceRateLimit } from "../http/authorize.ts";
import { requireJobAddresses } from "../jobs/job-addresses.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import type { Environment } from "../platform/environment.ts";
import { requireKnownReceiver } from "../receivers/known-receiver.ts";
import { type Admission, authenticateCapture } from "./admit.ts";
import { requireSigningKey } from "./signing-key.ts";
import { isTestCaller } from "./test-caller.ts";
import type { ValidRequest } from "./valid-request.ts";

/** Throws the errors with which the request itself would be refused before anything is attempted, except for its quota. */
export async function validateRequest(
  request: ApiRequest,
  { parsing, isSigned }: Pick<Admission, "parsing" | "isSigned">,
  env: Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">,
): Promise<ValidRequest> {
  const caller = await authenticateCapture(request, isSigned, env);
  await enforceRateLimit(request, caller, env);
  requireScope(caller, "capture");
  const { outputs, isGroup } = await parsing;
  for (const { options } of outputs) {
    requireSigningKey(caller, options);
    requireJobAddresses(options, caller.account.id, allowedOrigins());
    await requireKnownReceiver(options, caller.account.id, env);
  }
  return { outputs, isGroup, isTest: isTestCaller(caller) };
}
