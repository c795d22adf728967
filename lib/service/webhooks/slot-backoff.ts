// How long a webhook waits while its account or its receiver has no free slot, and how long a receiver that times out is left alone.

const MAX_BACKOFF_MS = 60 * 60_000;

export interface SlotWait {
  /** How often the webhook has waited before. */
  readonly waits: number;
  /** For how many milliseconds its receiver has failed without a success. */
  readonly failingMs: number;
}

/**
 * Exponential backoff with jitter, in milliseconds: an account with more webhooks than its receivers take doesn't keep the workers
 * busy. For a receiver that has failed for long, the wait is about as long again: one webhook at a time tries it, and however many
 * wait for it, each looks only some times in a day. `random` is a number from 0 up to 1.
 */
export function slotBackoffMs({ waits, failingMs }: SlotWait, random: number): number {
  const backoff = Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** Math.min(waits, 12));
  return Math.max(backoff, failingMs) * (0.5 + random / 2);
}

const MIN_PROBE_PAUSE_MS = 60_000;
const MAX_PROBE_PAUSE_MS = 5 * 60_000;

/**
 * How long a receiver is left alone after a timeout, in milliseconds: a tenth of the time for which it has failed, from one to five
 * minutes. Each attempt holds a worker for ten seconds, so that some dozen receivers that are always tried would hold all of them. After
 * the first failure, it is tried again at once.
 */
export function probePauseMs(failingMs: number): number {
  return failingMs === 0 ? 0 : Math.min(MAX_PROBE_PAUSE_MS, Math.max(MIN_PROBE_PAUSE_MS, failingMs / 10));
}
