// Stores sessions in the Accounts table: one item for each, in the partition of the account's sessions.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { applyScheduledPlan } from "../account/scheduled-plan.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { deleteItem, getItem, putItem, queryItems, updateItem } from "../aws/items.ts";
import { accountKey, sessionKey, sessionsPartition } from "../aws/table-keys.ts";
import { createSessionToken, hashSecret } from "./secret-token.ts";
import { type Session, type SessionAccount, SessionAccountSchema, SessionSchema } from "./session.ts";
import { MAX_SESSION_MS, sessionExpiry } from "./session-cookie.ts";

/**
 * An account keeps this many sessions of its owner, and as many that began with API keys; a further sign-in ends the one of its
 * kind that was used least recently. So signing in by a key again and again ends no session of the owner.
 */
const MAX_SESSIONS = 50;

/** Hexadecimal characters of a session's id. */
const ID_CHARACTERS = 24;

export type NewSession = Pick<Session, "account_id" | "signed_in_with" | "api_key_hash" | "user_agent" | "network">;

/** Starts a session at `now` (milliseconds since 1970). Resolves to it and to its token, which is stored nowhere. */
export async function createSession(
  table: string,
  facts: NewSession,
  now: number,
): Promise<{ readonly session: Session; readonly token: string }> {
  const token = createSessionToken(facts.account_id);
  const hash = hashSecret(token);
  const session: Session = {
    id: hash.slice(0, ID_CHARACTERS),
    ...facts,
    created_at: now,
    last_used_at: now,
    expires_at: sessionExpiry({ created_at: now }, now),
  };
  const item = { ...sessionKey(facts.account_id, hash), ...session, ttl: ttl(session.expires_at) };
  await putItem(table, item);
  const isByKey = facts.api_key_hash !== null;
  const ofItsKind = (await readSessions(table, facts.account_id, now)).filter(
    ({ api_key_hash }) => (api_key_hash !== null) === isByKey,
  );
  const tooMany = ofItsKind.slice(MAX_SESSIONS);
  for (const { id } of tooMany) await deleteSession(table, facts.account_id, id);
  return { session, token };
}

/** Finds the session of a token at `now`; undefined when it has ended. */
export async function findSession(
  table: string,
  { accountId, token }: { readonly accountId: number; readonly token: string },
  now: number,
): Promise<Session | undefined> {
  // A strongly consistent read: after signing out, the token is rejected immediately.
  const item = await getItem(table, sessionKey(accountId, hashSecret(token)));
  const session = item && v.parse(SessionSchema, item);
  return session && isValid(session, now) ? session : undefined;
}

/** A session from before sessions had a longest duration may expire later than that. */
function isValid({ created_at, expires_at }: Session, now: number): boolean {
  return expires_at > now && created_at + MAX_SESSION_MS > now;
}

/** Extends a session from `now` on. Resolves to it as stored, or to undefined when it ended meanwhile. */
export async function extendSession(
  table: string,
  { session, token }: { readonly session: Session; readonly token: string },
  now: number,
): Promise<Session | undefined> {
  const expires_at = sessionExpiry(session, now);
  const { isChanged } = await updateItem(table, sessionKey(session.account_id, hashSecret(token)), {
    update: "SET last_used_at = :now, expires_at = :expiry, #ttl = :ttl",
    condition: "attribute_exists(pk)",
    values: { ":now": now, ":expiry": expires_at, ":ttl": ttl(expires_at) },
  });
  return isChanged ? { ...session, last_used_at: now, expires_at } : undefined;
}

/** How long a session may change the address after its user has proven the current one, in milliseconds. */
const ADDRESS_PROOF_LIFETIME_MS = 15 * 60 * 1000;

/** Stores at `now` that the user of a session reads the mail of an address. Does nothing when the session has ended. */
export async function storeAddressProof(
  table: string,
  { session, token }: { readonly session: Session; readonly token: string },
  { email, now }: { readonly email: string; readonly now: number },
): Promise<void> {
  const proof: Session["address_proof"] = {
    address_hash: hashSecret(email),
    expires_at: now + ADDRESS_PROOF_LIFETIME_MS,
  };
  await updateItem(table, sessionKey(session.account_id, hashSecret(token)), {
    update: "SET address_proof = :proof",
    condition: "attribute_exists(pk)",
    values: { ":proof": proof },
  });
}

/** True when the user of a session has proven at `now` to read the mail of an address. */
export function hasProvenAddress({ address_proof }: Session, email: string, now: number): boolean {
  return (
    address_proof !== undefined && address_proof.expires_at > now && address_proof.address_hash === hashSecret(email)
  );
}

/** Lists the sessions of an account at `now`, the most recently used first. */
export async function readSessions(table: string, accountId: number, now: number): Promise<Session[]> {
  const items = await querySessions(table, accountId);
  return items.filter(({ expires_at }) => expires_at > now).sort((a, b) => b.last_used_at - a.last_used_at);
}

/** Ends a session. Resolves to false when the account has no session of this id. */
export async function deleteSession(table: string, accountId: number, id: string): Promise<boolean> {
  const found = (await querySessions(table, accountId)).find((session) => session.id === id);
  if (found) await deleteItem(table, sessionKey(accountId, found.sk));
  return found !== undefined;
}

/** Ends all sessions of an account but this one, also those that have just expired. */
export async function deleteOtherSessions(
  table: string,
  { account_id, id }: Pick<Session, "account_id" | "id">,
): Promise<void> {
  await deleteSessions(table, account_id, (session) => session.id !== id);
}

/** Ends all sessions of an account. */
export async function endAllSessions(table: string, accountId: number): Promise<void> {
  await deleteSessions(table, accountId, () => true);
}

async function deleteSessions(table: string, accountId: number, isEnded: (session: Session) => boolean): Promise<void> {
  for (const { sk } of (await querySessions(table, accountId)).filter(isEnded)) {
    await deleteItem(table, sessionKey(accountId, sk));
  }
}

/** Reads the facts of an account that its owner sees; undefined when the account does not exist. */
export async function findSessionAccount(table: string, accountId: number): Promise<SessionAccount | undefined> {
  const names = Object.keys(SessionAccountSchema.entries);
  const command = new GetCommand({
    TableName: table,
    Key: accountKey(accountId),
    ConsistentRead: true,
    // The role of the function may read no other attributes.
    ProjectionExpression: names.map((name) => `#${name}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
  });
  const { Item } = await dynamodb().send(command);
  return Item && applyScheduledPlan(v.parse(SessionAccountSchema, Item), Date.now());
}

const StoredSessionSchema = v.object({ sk: v.string(), ...SessionSchema.entries });

async function querySessions(table: string, accountId: number) {
  const items = await queryItems(table, sessionsPartition(accountId));
  return items.map((item) => v.parse(StoredSessionSchema, item));
}

function ttl(expiresAt: number): number {
  return Math.ceil(expiresAt / 1000);
}
