// Applies the rate limit with one conditional write per request to an item of the Usage table.
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { getItems, type ItemKey, updateItem } from "../aws/items.ts";
import { linkViewsKey, requestsKey, requestsPartition, sessionRequestsKey } from "../aws/table-keys.ts";
import {
  admissionUpdate,
  admittedRequests,
  expiredMarks,
  LINK_VIEWS_PER_MINUTE,
  type LimitedRequest,
  parseLastUses,
  type RateLimitState,
  rateLimitState,
  type SessionLimit,
} from "./rate-limit.ts";

/**
 * Admits and counts a request if the limit allows it, in one conditional write, or a few if it counts as several requests. Each limit has
 * an item of its own, so counting restarts when the limit of an account changes.
 */
export async function countRequest(
  table: string,
  request: LimitedRequest & {
    readonly accountId: number;
    /** Sessions of the account for which it is counted, instead of for the account. */
    readonly sessions?: { readonly beganWithKey: boolean; readonly counted: SessionLimit };
  },
): Promise<RateLimitState & { readonly isAdmitted: boolean }> {
  const { accountId, limit, sessions } = request;
  const key = sessions ? sessionRequestsKey(accountId, sessions) : requestsKey(accountId, limit);
  return admit(table, key, request);
}

/** Items of links expire, because an account can have any number of them. */
const LINK_ITEM_LIFETIME_S = 24 * 60 * 60;

/** Admits and counts a view of a signed link, by its signature, if the limit of links allows it. `now` is milliseconds since 1970. */
export async function countLinkView(
  table: string,
  view: { readonly accountId: number; readonly keyId: number; readonly signature: string; readonly now: number },
): Promise<RateLimitState & { readonly isAdmitted: boolean }> {
  const { accountId, keyId, signature, now } = view;
  const expiry = Math.ceil(now / 1000) + LINK_ITEM_LIFETIME_S;
  return admit(table, linkViewsKey(accountId, signature), { keyId, limit: LINK_VIEWS_PER_MINUTE, now, expiry });
}

async function admit(
  table: string,
  key: ItemKey,
  request: LimitedRequest,
): Promise<RateLimitState & { readonly isAdmitted: boolean }> {
  const { cost = 1, now } = request;
  let seen = cost > 1 ? 0 : undefined;
  for (;;) {
    const { isChanged, item = {} } = await updateItem(table, key, admissionUpdate(request, seen));
    const state = rateLimitState(item, request);
    if (isChanged) {
      const expired = expiredMarks(item, now);
      if (expired.length > 0) await updateItem(table, key, { update: `REMOVE ${expired.join(", ")}` });
      return { ...state, isAdmitted: true };
    }
    // Without a lock, the limit alone can have refused the request.
    if (seen === undefined || state.remaining < cost) return { ...state, isAdmitted: false };
    seen = admittedRequests(item);
  }
}

/** Returns when each key of an account last sent an admitted request, in milliseconds since 1970. */
export async function queryLastUses(table: string, accountId: number): Promise<ReadonlyMap<number, number>> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": requestsPartition(accountId) },
    }),
  );
  return parseLastUses(Items);
}

/**
 * Returns when any key of each of several accounts last sent an admitted request, in milliseconds since 1970, by the account's id: among the
 * requests that counted against one of its `limits`.
 */
export async function readLastUsesOfMany(
  table: string,
  accounts: readonly { readonly id: number; readonly limits: readonly number[] }[],
): Promise<ReadonlyMap<number, number>> {
  const keys = accounts.flatMap(({ id, limits }) => limits.map((limit) => requestsKey(id, limit)));
  const byPartition = Map.groupBy(await getItems(table, keys), ({ pk }) => pk);
  return new Map(
    accounts.flatMap(({ id }) => {
      const uses = parseLastUses(byPartition.get(requestsPartition(id)) ?? []);
      return uses.size === 0 ? [] : [[id, Math.max(...uses.values())] as const];
    }),
  );
}
