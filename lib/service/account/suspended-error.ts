// The error of everything that a suspended account requests.
import { ApiError } from "../../contract/errors/api-error.ts";
import { askOperator } from "../platform/operator-identity.ts";
import type { Caller } from "./account.ts";

/**
 * Throws `ACCOUNT_SUSPENDED` with the operator's reason for the caller of a suspended account. The suspension is a part of the item by
 * which a request is authenticated, so that no request reads more for it.
 */
export function requireActiveAccount({ account: { suspension } }: Pick<Caller, "account">): void {
  if (!suspension) return;
  const { reason, at } = suspension;
  const message = `This account is suspended since ${at}: ${withStop(reason)} To have it resumed, ${askOperator()}.`;
  throw new ApiError("ACCOUNT_SUSPENDED", message, { figures: { reason, suspended_at: at } });
}

function withStop(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}

/** The error of a capture whose account was suspended while it was in progress. */
export function suspendedMeanwhile(billed = "Nothing was billed."): ApiError {
  return new ApiError(
    "ACCOUNT_SUSPENDED",
    `The account was suspended before the capture ended. ${billed} The owner of the account can sign in to read why.`,
  );
}

/** True for the error of a suspended account. */
export function isSuspended(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "ACCOUNT_SUSPENDED";
}
