// Who is calling: the key of a request, found, and refused without telling why.
import { ApiError } from "../contract/errors.ts";
import type { Scope } from "../contract/scopes.ts";
import { type Caller, refusal } from "./account.ts";
import { hashApiKey, isWellFormed } from "./api-key.ts";

export interface Credentials {
  /** Value of the Authorization header. */
  readonly authorization: string | undefined;
  /** Values of the query parameter `access_key`. */
  readonly accessKeys: readonly string[];
  /** True when a key was found in the body, where it does not belong. */
  readonly inBody: boolean;
}

/** Why a caller was turned away, for the log only. */
export type Reason = "missing" | "malformed" | "unknown" | "revoked" | "expired";

/** A refusal whose reason is for the log, not for the caller. */
export class Unauthorized extends ApiError {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": "Bearer" } });
    this.reason = reason;
  }
}

/** Who presents a key. Throws `UNAUTHORIZED`, in the same words for every reason. */
export async function authenticate(
  presented: string,
  { find, now }: { find: (hash: string) => Promise<Caller | undefined>; now: number },
): Promise<Caller> {
  const caller = await find(hashApiKey(presented));
  if (!caller) throw new Unauthorized("unknown", NOT_VALID);
  const refused = refusal(caller, now);
  if (refused) throw new Unauthorized(refused, NOT_VALID);
  return caller;
}

/** Throws `FORBIDDEN` when the caller's key lacks a scope. */
export function requireScope({ key }: Caller, scope: Scope): void {
  if (key.scopes.includes(scope)) return;
  throw new ApiError("FORBIDDEN", `This API key lacks the scope '${scope}'. Use a key that has it.`);
}

const WHERE = "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.";
const NOT_VALID = `The API key is missing or not valid. ${WHERE}`;

/**
 * The key a request presents, well-formed but not yet looked up. With a Bearer header and a query parameter, the
 * header alone counts. Throws `UNAUTHORIZED`.
 */
export function presentedKey(credentials: Credentials): string {
  const key = sentKey(credentials);
  if (!isWellFormed(key)) throw new Unauthorized("malformed", NOT_VALID);
  return key;
}

function sentKey({ authorization = "", accessKeys, inBody }: Credentials): string {
  const [scheme = "", bearer = "", ...rest] = authorization.trim().split(/ +/);
  if (scheme.toLowerCase() === "bearer") return rest.length === 0 ? bearer : "";
  const [fromQuery, ...others] = accessKeys;
  if (fromQuery !== undefined) return others.length === 0 ? fromQuery : "";
  if (inBody) throw new Unauthorized("missing", `An API key in the request body is not accepted. ${WHERE}`);
  throw new Unauthorized("missing", NOT_VALID);
}
