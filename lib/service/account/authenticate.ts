// Authentication by API key and authorization by scope. A caller who has a key receives the reason why it is rejected; whether a
// key exists is not revealed to callers who guess.
import { ApiError } from "../../contract/errors/api-error.ts";
import { hashApiKey, isTestPrefix, isWellFormed } from "../keys/api-key.ts";
import { type ApiKey, type Caller, invalidKeyReason, type Scope } from "./account.ts";

export interface Credentials {
  /** Value of the Authorization header. */
  readonly authorization: string | undefined;
  /** Values of the query parameter `access_key`. */
  readonly accessKeys: readonly string[];
  /** Value of the header `X-API-Key`, which other services read. */
  readonly apiKeyHeader: string | undefined;
  /** True when the request body contains an API key, which is not accepted. */
  readonly inBody: boolean;
}

/** Why authentication failed; logged. */
export type UnauthorizedReason =
  | "missing"
  | "malformed"
  | "unknown"
  | "revoked"
  | "replaced"
  | "expired"
  | "forged"
  | "unsigned";

/** 401 whose reason is logged. */
export class UnauthorizedError extends ApiError {
  readonly reason: UnauthorizedReason;

  constructor(reason: UnauthorizedReason, message: string, figures?: Readonly<Record<string, string | number>>) {
    super("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": "Bearer" }, ...(figures && { figures }) });
    this.reason = reason;
  }
}

/**
 * Returns the caller of a presented key. `find` looks up its hash; `now` is milliseconds since 1970. Throws `UNAUTHORIZED`, which
 * says what is wrong with a key that exists: who has its text has the key.
 */
export async function authenticate(
  { key, isInQuery }: PresentedKey,
  { find, now }: { find: (hash: string) => Promise<Caller | undefined>; now: number },
): Promise<Caller> {
  const caller = await find(hashApiKey(key));
  if (!caller) throw invalidKeyError("unknown");
  const reason = invalidKeyReason(caller, now) ?? (isInQuery && caller.key.require_signature ? "unsigned" : undefined);
  if (reason) throw invalidKeyError(reason);
  return caller;
}

type KeyProblem = "missing" | "malformed" | "unknown" | "revoked" | "replaced" | "expired" | "unsigned";

function invalidKeyError(reason: KeyProblem): UnauthorizedError {
  return new UnauthorizedError(reason, keyProblems[reason]);
}

/** Throws `FORBIDDEN` when the caller's key lacks a scope. */
export function requireScope({ key }: Caller, scope: Scope): void {
  if (key.scopes.includes(scope)) return;
  throw new ApiError("FORBIDDEN", `This API key lacks the scope '${scope}'. Use a key that has it.`);
}

/** What a caller does that needs the granted scopes on its own key. */
const grantActions = {
  create: (them: string) =>
    `cannot give ${them} to another key. Name only scopes that this key has, or use another key.`,
  change: (them: string) => `cannot give ${them} to a key. Name only scopes that this key has, or use another key.`,
  widen: (them: string) =>
    `cannot let a key that has ${them} be used longer or in more places. Use a key that has ${them}.`,
  rotate: (them: string) => `cannot rotate a key that has ${them}. Use another key.`,
};

/**
 * Prevents privilege escalation: throws `FORBIDDEN` when the caller's key lacks a scope that it would grant to a key.
 */
export function requireGrantableScopes(
  { key }: Caller,
  granted: readonly Scope[],
  action: keyof typeof grantActions,
): void {
  const missing = granted.filter((scope) => !key.scopes.includes(scope)).map((scope) => `'${scope}'`);
  if (missing.length === 0) return;
  const [scopes, them] = missing.length === 1 ? ["scope", "it"] : ["scopes", "them"];
  throw new ApiError(
    "FORBIDDEN",
    `This API key lacks the ${scopes} ${missing.join(" and ")}, so it ${grantActions[action](them)}`,
  );
}

/** Throws `VALIDATION_ERROR` for a key for tests that could manage keys: it would create one whose captures have no mark. */
export function requireTestScopes({ key_prefix }: Pick<ApiKey, "key_prefix">, scopes: readonly Scope[] = []): void {
  if (!isTestPrefix(key_prefix) || !scopes.includes("keys")) return;
  const message = "of a key for tests can't include 'keys', with which it could create other keys";
  throw new ApiError("VALIDATION_ERROR", `Option 'scopes' ${message}.`, { details: { scopes: [message] } });
}

const HOW_TO_SEND = "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.";
/** The same for a typo and for a key that does not exist. */
const NOT_VALID = `The API key is not valid. Check that it is complete. ${HOW_TO_SEND}`;
const keyProblems: Readonly<Record<KeyProblem, string>> = {
  missing: `The API key is missing. ${HOW_TO_SEND}`,
  malformed: NOT_VALID,
  unknown: NOT_VALID,
  revoked: "This API key is revoked. Use another key.",
  replaced: "This text of the API key has ended, because the key was rotated. Use the new text.",
  expired: "This API key has expired. Use another key, or move its `expires_at` with a key that has the scope 'keys'.",
  unsigned:
    "This API key needs a signature in a URL (`require_signature`). Send it as `Authorization: Bearer <key>`, or sign the link.",
};

/** An API key as sent in a request. */
export interface PresentedKey {
  readonly key: string;
  /** True when it was sent in the URL, which browsers, proxies and pages record. */
  readonly isInQuery: boolean;
}

/**
 * Returns the key that a request presents, well-formed but not looked up. A Bearer header takes precedence over the
 * query parameter. Throws `UNAUTHORIZED`.
 */
export function parsePresentedKey(credentials: Credentials): PresentedKey {
  const key = readKey(credentials);
  if (!isWellFormed(key)) throw invalidKeyError("malformed");
  return { key, isInQuery: !hasBearerHeader(credentials) };
}

/** True when the Authorization header uses the Bearer scheme, even with an empty token. */
export function hasBearerHeader({ authorization = "" }: Credentials): boolean {
  return /^bearer( |$)/i.test(authorization.trim());
}

function readKey(credentials: Credentials): string {
  const { authorization = "", accessKeys, apiKeyHeader, inBody } = credentials;
  if (hasBearerHeader(credentials)) {
    const [, bearer = "", ...rest] = authorization.trim().split(/ +/);
    return rest.length === 0 ? bearer : "";
  }
  const [fromQuery, ...others] = accessKeys;
  if (fromQuery !== undefined) return others.length === 0 ? fromQuery : "";
  if (inBody) throw new UnauthorizedError("missing", `An API key in the request body is not accepted. ${HOW_TO_SEND}`);
  if (authorization !== "") throw new UnauthorizedError("missing", `${describeScheme(authorization)} ${HOW_TO_SEND}`);
  if (apiKeyHeader !== undefined)
    throw new UnauthorizedError("missing", `An API key in the header \`X-API-Key\` is not accepted. ${HOW_TO_SEND}`);
  throw invalidKeyError("missing");
}

/** What is wrong with an `Authorization` header that isn't Bearer's (RFC 9110, section 11.4). */
function describeScheme(authorization: string): string {
  const [, scheme] = /^([a-z]+) /i.exec(authorization.trim()) ?? [];
  return scheme === undefined
    ? "The header `Authorization` has no scheme."
    : `The header \`Authorization\` has the scheme \`${scheme}\`, and API keys need \`Bearer\`.`;
}
