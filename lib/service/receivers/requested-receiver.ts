// The saved receiver that the path of a request names.
import { RECEIVER_ID } from "../../contract/options/groups/delivery.ts";
import type { Caller } from "../account/account.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { type ReceiverIds, unknownReceiver } from "./receiver.ts";

/** The ids of the caller's receiver that the path names, whether there is one or not. Throws `NOT_FOUND` for what is no id. */
export function requestedReceiver(
  { pathParameters: { id = "" } }: Pick<ApiRequest, "pathParameters">,
  { account }: Pick<Caller, "account">,
): ReceiverIds {
  if (!RECEIVER_ID.test(id)) throw unknownReceiver();
  return { account_id: account.id, id };
}
