// Checks that the receiver that a capture names is one of its account.
import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";
import { findReceiver } from "./receiver-store.ts";

/** Throws `VALIDATION_ERROR` for a `webhook_receiver` that the account does not have. Only a capture that names one reads it. */
export async function requireKnownReceiver(
  { webhook_receiver: id }: Pick<CaptureOptions, "webhook_receiver">,
  accountId: number,
  { ACCOUNTS_TABLE }: Pick<Environment, "ACCOUNTS_TABLE">,
): Promise<void> {
  if (id === undefined) return;
  if (await findReceiver(ACCOUNTS_TABLE, { account_id: accountId, id })) return;
  const message =
    "is not the id of a webhook receiver of this account; list its receivers with GET /api/v1/webhooks/receivers";
  throw new ApiError("VALIDATION_ERROR", `Option 'webhook_receiver' ${message}.`, {
    details: { webhook_receiver: [message] },
  });
}
