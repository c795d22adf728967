// The quota of a request with `outputs`: a reservation for each output, or for none.

import { ApiError } from "../../contract/errors/api-error.ts";
import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import type { Caller } from "../account/account.ts";
import { type QuotaReservation, reserveQuota } from "../billing/quota-reservation.ts";
import type { RequestedCapture } from "../captures/capture-request.ts";
import type { Environment } from "../platform/environment.ts";

/**
 * Reserves quota for each output, one after the other, since most reservations change the same item. If one gets none, none of them
 * may be rendered.
 */
export async function reserveAll(
  outputs: readonly { readonly options: CaptureOptions }[],
  parts: { readonly caller: Caller; readonly receivedAt: number },
  env: Pick<Environment, "USAGE_TABLE">,
): Promise<readonly QuotaReservation[]> {
  const reservations: QuotaReservation[] = [];
  try {
    for (const { options } of outputs) reservations.push(await reserveQuota({ ...parts, options }, env));
  } catch (error) {
    await releaseAll(reservations);
    throw error;
  }
  return reservations;
}

/** Gives quota back; what cannot be given back expires. */
export async function releaseAll(reservations: readonly QuotaReservation[]): Promise<void> {
  await Promise.all(reservations.map((reservation) => reservation[Symbol.asyncDispose]()));
}

/** Throws `QUOTA_EXCEEDED` unless every output has quota: all of them are captured, or none. */
export function requireAllQuota(outputs: readonly { readonly capture: Pick<RequestedCapture, "reservation"> }[]): void {
  const granted = outputs.filter(({ capture }) => capture.reservation.isGranted).length;
  for (const { capture } of outputs) {
    try {
      capture.reservation.require();
    } catch (error) {
      if (!(error instanceof ApiError) || granted === 0) throw error;
      const message = `The request has ${outputs.length} outputs, and there is quota for ${granted} of them, so nothing was captured. ${error.message}`;
      const figures = error.figures ? { figures: error.figures } : {};
      throw new ApiError(error.code, message, { ...figures, headers: error.headers });
    }
  }
}
