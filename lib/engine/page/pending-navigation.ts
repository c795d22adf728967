// Detects whether a page is navigating to another document since a given moment.
import type { PageActivity } from "./page-activity.ts";

/** A page that starts to navigate reports that at once; the request for the document follows within this time, if at all. */
const MAX_NAVIGATION_DELAY_MS = 500;

/** The document of a page, and how many navigations it has started. */
export type NavigationState = Pick<PageActivity, "startedNavigations" | "documentId">;

export function navigationState({ startedNavigations, documentId }: PageActivity): NavigationState {
  return { startedNavigations, documentId };
}

/** Returns true when the page has another document than `before`, or gets one shortly. */
export async function hasNavigated(activity: PageActivity, before: NavigationState): Promise<boolean> {
  const isElsewhere = () => activity.documentId !== before.documentId;
  if (activity.startedNavigations === before.startedNavigations) return isElsewhere();
  return activity.until(isElsewhere, MAX_NAVIGATION_DELAY_MS);
}
