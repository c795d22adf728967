// Write sharding of the usage counters: an account that may send many requests spreads its counts over several items, because
// DynamoDB cancels a transaction that touches an item of another running transaction. Readers add the shards up.
import type { Plan } from "../../contract/plans.ts";

/**
 * How many requests a minute one shard counts: five a second, each of which holds its items for about 20 ms, so that one
 * transaction in ten conflicts and is retried.
 */
const REQUESTS_PER_SHARD = 300;

type Rate = Pick<Plan, "requestsPerMinute">;

/** The number of shards of an account's counters. */
export function counterShards({ requestsPerMinute }: Rate): number {
  return Math.max(1, Math.ceil(requestsPerMinute / REQUESTS_PER_SHARD));
}

/** A shard for the next count; `random` is from 0 up to 1. */
export function chooseShard(rate: Rate, random: number): number {
  return Math.floor(random * counterShards(rate));
}
