// Waits at the end of a page for what it loads there (infinite scroll).
import { passTime } from "../rendering/page-time.ts";
import type { CapturedPage } from "./captured-page.ts";

/** How long a page at its end takes to start loading more, and to load it, in milliseconds. */
const MAX_LOAD_MORE_MS = 500;
const MAX_ANSWER_MS = 400;

/** Virtual time at the end of the page, for scripts that add to it. Requests take none. */
const VIRTUAL_LOAD_MORE_MS = 1_000;

/** Waits for the requests that the page makes when its end comes into view; `requestsStarted` is the count of earlier ones. */
export async function loadMore(page: CapturedPage, requestsStarted: number): Promise<void> {
  const { activity, frameScheduler } = page;
  if (frameScheduler?.virtualTime) return passTime(page, VIRTUAL_LOAD_MORE_MS);
  await activity.until(() => activity.requestsStarted > requestsStarted, MAX_LOAD_MORE_MS);
  await activity.untilAnswered(requestsStarted, MAX_ANSWER_MS);
}
