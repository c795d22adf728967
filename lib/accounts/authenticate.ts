// Who is calling: the key of a request, found, and refused without telling why.
import { ApiError } from "../contract/errors.ts";
import { type ApiKey, refusal, type Scope } from "./account.ts";
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

/**
 * The API key of a caller with the scope a route needs. Throws `UNAUTHORIZED`, the same for every reason, or
 * `FORBIDDEN` when the key lacks the scope.
 */
export async function authenticate(
  credentials: Credentials,
  scope: Scope,
  { find, now }: { find: (hash: string) => Promise<ApiKey | undefined>; now: number },
): Promise<ApiKey> {
  const sent = sentKey(credentials);
  if (!isWellFormed(sent)) throw new Unauthorized("malformed", NOT_VALID);
  const key = await find(hashApiKey(sent));
  if (!key) throw new Unauthorized("unknown", NOT_VALID);
  const refused = refusal(key, now);
  if (refused) throw new Unauthorized(refused, NOT_VALID);
  if (!key.scopes.includes(scope)) {
    throw new ApiError("FORBIDDEN", `This API key lacks the scope '${scope}'. Use a key that has it.`);
  }
  return key;
}

const WHERE = "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.";
const NOT_VALID = `The API key is not valid. ${WHERE}`;

/** With a Bearer header and a query parameter, the header alone counts. */
function sentKey({ authorization, accessKeys, inBody }: Credentials): string {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (bearer !== undefined) return bearer;
  if (/^Bearer\b/i.test(authorization ?? "")) throw new Unauthorized("malformed", NOT_VALID);
  const [fromQuery, ...others] = accessKeys;
  if (fromQuery !== undefined && others.length === 0) return fromQuery;
  if (others.length > 0) throw new Unauthorized("malformed", NOT_VALID);
  if (inBody) throw new Unauthorized("missing", `An API key in the request body is not accepted. ${WHERE}`);
  throw new Unauthorized("missing", `An API key is missing. ${WHERE}`);
}
