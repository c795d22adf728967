// What Lambda's tenant isolation mode costs an account that captures at a rate: how many of its captures start an execution environment
// of their own, and what AWS bills for these.
import { CALLER_MEMORY_MB } from "../../../infra/functions/rendering-props.ts";
import { stageConfig } from "../../../infra/stages.ts";
import { prices } from "../prices.ts";

/**
 * Minutes for which an idle environment is assumed to stay. AWS states no time; measurements that others have published lie between 5
 * and 45 minutes. A shorter one makes isolation dearer.
 */
export const IDLE_MINUTES = 10;

/**
 * Seconds that the start of the renderer is assumed to take, which Lambda bills, as it bills the caller that waits. Nothing was measured on
 * AWS: here it takes 2 to 4.
 */
const START_SECONDS = 3;

/** The settings of `prod`, whose renderer the model is about. */
const { browserMemoryMb } = stageConfig("prod");

/**
 * Part of an account's captures that find no idle environment of the account, if they arrive independently of one another (a Poisson
 * process), `perHour` on average, and none overlaps with another one: those that come later than `IDLE_MINUTES` after the one before.
 */
export function coldShare(perHour: number, idleMinutes = IDLE_MINUTES): number {
  return Math.exp((-perHour * idleMinutes) / 60);
}

/** US dollars that tenant isolation adds to a capture, of which a part starts an environment: the fee, and the seconds of the start. */
export function isolationDollars(share: number): number {
  const fee = (browserMemoryMb / 1024) * prices.tenantEnvironmentGigabyte;
  const start = ((browserMemoryMb + CALLER_MEMORY_MB) / 1024) * START_SECONDS * prices.lambdaGigabyteSecond;
  return share * (fee + start);
}
