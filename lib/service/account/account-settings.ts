// The settings of an account as the routes answer them.
import type { ResponseBody } from "../http/response-fields.ts";
import type { Account } from "./account.ts";
import type { AccountSettings } from "./responses.ts";

/** What the owner of an account can change, with what it has. */
export function accountSettings(account: Account): ResponseBody<typeof AccountSettings> {
  const { id, label, email, plan, requested_plan, scheduled_plan, quota_alerts, key_alerts, store_thumbnails } =
    account;
  return {
    ...{ id, label, email, plan, requested_plan, scheduled_plan: scheduled_plan ?? null },
    ...{ quota_alerts, key_alerts, store_thumbnails },
  };
}
