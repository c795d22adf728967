// Who is calling: the key of a request, found, and refused without telling why.
import { ApiError } from "../errors/api-error.ts";
import { type Caller, invalidKeyReason, type Scope } from "./account.ts";
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
export type UnauthorizedReason = "missing" | "malformed" | "unknown" | "revoked" | "expired" | "forged" | "unsigned";

/** A refusal whose reason is for the log, not for the caller. */
export class UnauthorizedError extends ApiError {
  readonly reason: UnauthorizedReason;

  constructor(reason: UnauthorizedReason, message: string, figures?: Readonly<Record<string, string>>) {
    super("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": "Bearer" }, ...(figures && { figures }) });
    this.reason = reason;
  }
}

/** Who presents a key. Throws `UNAUTHORIZED`, in the same words for every reason. */
export async function authenticate(
  { key, isInQuery }: PresentedKey,
  { find, now }: { find: (hash: string) => Promise<Caller | undefined>; now: number },
): Promise<Caller> {
  const caller = await find(hashApiKey(key));
  if (!caller) throw notValid("unknown");
  const refused = invalidKeyReason(caller, now) ?? (isInQuery && caller.key.require_signature ? "unsigned" : undefined);
  if (refused) throw notValid(refused);
  return caller;
}

/** The refusal of a key: nobody learns by it what there is and what there is not. */
function notValid(reason: UnauthorizedReason): UnauthorizedError {
  return new UnauthorizedError(reason, NOT_VALID);
}

/** Throws `FORBIDDEN` when the caller's key lacks a scope. */
export function requireScope({ key }: Caller, scope: Scope): void {
  if (key.scopes.includes(scope)) return;
  throw new ApiError("FORBIDDEN", `This API key lacks the scope '${scope}'. Use a key that has it.`);
}

/** What a caller does with scopes that its own key has to have. */
const givingScopes = {
  create: (them: string) =>
    `cannot give ${them} to another key. Name only scopes that this key has, or use another key.`,
  change: (them: string) => `cannot give ${them} to a key. Name only scopes that this key has, or use another key.`,
  rotate: (them: string) => `cannot rotate a key that has ${them}. Use another key.`,
};

/**
 * Throws `FORBIDDEN` when the caller's key lacks one of the scopes that it would give, so that no key can make itself one
 * that may do more.
 */
export function requireGrantableScopes(
  { key }: Caller,
  given: readonly Scope[],
  action: keyof typeof givingScopes,
): void {
  const lacking = given.filter((scope) => !key.scopes.includes(scope)).map((scope) => `'${scope}'`);
  if (lacking.length === 0) return;
  const [scopes, them] = lacking.length === 1 ? ["scope", "it"] : ["scopes", "them"];
  throw new ApiError(
    "FORBIDDEN",
    `This API key lacks the ${scopes} ${lacking.join(" and ")}, so it ${givingScopes[action](them)}`,
  );
}

const WHERE = "Send it as `Authorization: Bearer <key>` or as the query parameter `access_key`.";
const NOT_VALID = `The API key is missing or not valid. ${WHERE}`;

/** A key as a request shows it. */
export interface PresentedKey {
  readonly key: string;
  /** True where it is part of the address, which is kept in histories and logs of others and shown in pages. */
  readonly isInQuery: boolean;
}

/**
 * The key a request presents, well-formed but not yet looked up. With a Bearer header and a query parameter, the
 * header alone counts. Throws `UNAUTHORIZED`.
 */
export function parsePresentedKey(credentials: Credentials): PresentedKey {
  const key = sentKey(credentials);
  if (!isWellFormed(key)) throw notValid("malformed");
  return { key, isInQuery: !hasBearerHeader(credentials) };
}

/** True for a request whose header is to have a key, whether it has one or not. */
export function hasBearerHeader({ authorization = "" }: Credentials): boolean {
  return /^bearer( |$)/i.test(authorization.trim());
}

function sentKey(credentials: Credentials): string {
  const { authorization = "", accessKeys, inBody } = credentials;
  if (hasBearerHeader(credentials)) {
    const [, bearer = "", ...rest] = authorization.trim().split(/ +/);
    return rest.length === 0 ? bearer : "";
  }
  const [fromQuery, ...others] = accessKeys;
  if (fromQuery !== undefined) return others.length === 0 ? fromQuery : "";
  if (inBody) throw new UnauthorizedError("missing", `An API key in the request body is not accepted. ${WHERE}`);
  throw notValid("missing");
}
