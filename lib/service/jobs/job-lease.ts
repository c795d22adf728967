// How long a worker holds a job, and how often it says that it still works on it.

/**
 * Milliseconds for which a job is held without a heartbeat: the job of a worker that died is free again when its lease
 * expires. Its message is invisible for as long, which each heartbeat extends as well. A lease as long as the function may
 * run would keep the job waiting for two minutes. Most captures end before the first heartbeat.
 */
export const LEASE_MS = 40_000;
export const BEATS_PER_LEASE = 3;

/** Seconds between two heartbeats, each of which stores the phase of the capture. */
export const HEARTBEAT_S = Math.ceil(LEASE_MS / BEATS_PER_LEASE / 1000);
