// Which API keys can have a monthly limit.
import type { Scope } from "../account/account.ts";

/** Returns why a key can't have its limit, as the end of a sentence; undefined if it can, or has none. */
export function limitProblem({
  monthly_limit,
  scopes,
  isTest,
}: {
  readonly monthly_limit: unknown;
  readonly scopes: readonly Scope[];
  readonly isTest: boolean;
}): string | undefined {
  if (monthly_limit === null) return undefined;
  if (isTest) return "can't be set for a key for tests, whose captures are free";
  if (scopes.includes("keys"))
    return "can't be set for a key with the scope 'keys', which can create keys without a limit";
  return undefined;
}
