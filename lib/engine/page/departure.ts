// Detects whether a page is navigating to another document since a given moment.
import type { PageActivity } from "./page-activity.ts";

/** A page that starts to navigate reports that at once; the request for the document follows within this time, if at all. */
const MAX_DEPARTURE_MS = 500;

/** The document of a page, and how many navigations it has started. */
export type Departure = Pick<PageActivity, "departures" | "documentId">;

export function departure({ departures, documentId }: PageActivity): Departure {
  return { departures, documentId };
}

/** Returns true when the page has another document than `before`, or gets one shortly. */
export async function hasDeparted(activity: PageActivity, before: Departure): Promise<boolean> {
  const isElsewhere = () => activity.documentId !== before.documentId;
  if (activity.departures === before.departures) return isElsewhere();
  return activity.until(isElsewhere, MAX_DEPARTURE_MS);
}
