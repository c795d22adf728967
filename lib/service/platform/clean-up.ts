// Clean-up after an error: its own failure is logged, and doesn't hide that error.
import { logError } from "./log.ts";

/** Runs a clean-up. Never rejects: an error is logged as `failure`, since what is left behind expires, or means nothing. */
export async function cleanUp(work: () => Promise<unknown>, failure: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    logError(failure, error);
  }
}
