// The receiver that the path of a request names.
import { RECEIVER_ID } from "../../contract/options/groups/delivery.ts";
import type { Caller } from "../account/account.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { isAutomaticId, notSaved, type ReceiverIds, unknownReceiver } from "./receiver.ts";

type NamingRequest = Pick<ApiRequest, "pathParameters">;

/**
 * The ids of the caller's saved receiver that the path names, whether there is one or not. Throws `NOT_FOUND` for what is no id, and for
 * that of an automatic receiver.
 */
export function requestedReceiver(request: NamingRequest, caller: Pick<Caller, "account">): ReceiverIds {
  const ids = anyReceiver(request, caller);
  if (isAutomaticId(ids.id)) throw notSaved();
  return ids;
}

/** The ids of the caller's receiver that the path names, saved or automatic, whether there is one or not. Throws `NOT_FOUND`. */
export function anyReceiver(
  { pathParameters: { id = "" } }: NamingRequest,
  { account }: Pick<Caller, "account">,
): ReceiverIds {
  if (!RECEIVER_ID.test(id) && !isAutomaticId(id)) throw unknownReceiver();
  return { account_id: account.id, id };
}
