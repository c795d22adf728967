// A run of the canary: its capture and its requests, whose outcomes are counted for the status page.
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import type { CreateRenderer } from "../rendering/renderer.ts";
import type { CheckOutcomes } from "../status/components.ts";
import { type CheckedDay, countChecks, lastOutcome, readDays } from "../status/day-store.ts";
import { isCaptureDue, runApiCanary } from "./api-canary.ts";
import { runCanary } from "./canary.ts";

/** Longer than between two runs that capture. Without an outcome of that time, a run captures, such as the first one. */
const OLD_OUTCOME_MS = 18 * 60_000;

type CheckResources = Pick<Environment, "ACTIVITY_TABLE" | "ACCOUNTS_TABLE" | "BASE_URL">;

/** Makes the checks that are due at `now` (milliseconds since 1970), and counts them. Rejects where an outcome can't be stored. */
export async function runChecks(
  createRenderer: CreateRenderer,
  env: CheckResources,
  now: number,
): Promise<CheckOutcomes> {
  const days = await readDays(env.ACTIVITY_TABLE, now).catch((error): CheckedDay[] => {
    logError("status not read", error); // the checks tell alarms what is wrong
    return [];
  });
  const [{ is_right: rendering }, api] = await Promise.all([
    runCanary(createRenderer, env.ACTIVITY_TABLE),
    runApiCanary(env, { captures: isCaptureDue(now) || isOld(days, now) }),
  ]);
  const outcomes = { rendering, ...api };
  await countChecks(env.ACTIVITY_TABLE, outcomes, now);
  return outcomes;
}

/** Whether the last capture by the API was long ago. */
function isOld(days: readonly CheckedDay[], now: number): boolean {
  const last = lastOutcome(days, "api");
  return last === undefined || now - Date.parse(last.at) > OLD_OUTCOME_MS;
}
