// Renders the status page, its data, and its feed from what the tables have, and stores them where API Gateway serves them.
import { readDays } from "../../service/status/day-store.ts";
import { listIncidents } from "../../service/status/incident-store.ts";
import { type StatusReport, statusReport } from "../../service/status/status-report.ts";
import { putStatusObject } from "../../service/status/status-store.ts";
import { statusObjects } from "./status-frame.ts";

export interface StatusResources {
  readonly ACTIVITY_TABLE: string;
  readonly RESULTS_BUCKET: string;
  /** Public address of the service without a trailing slash. */
  readonly BASE_URL: string;
}

/** Publishes the state at `now` (milliseconds since 1970) in a frame that `completePage` has completed. Resolves to that state. */
export async function publishStatus(env: StatusResources, frame: string, now: number): Promise<StatusReport> {
  const { ACTIVITY_TABLE, RESULTS_BUCKET, BASE_URL } = env;
  const [days, incidents] = await Promise.all([readDays(ACTIVITY_TABLE, now), listIncidents(ACTIVITY_TABLE)]);
  const report = statusReport({ days, incidents, baseUrl: BASE_URL, now });
  await Promise.all(statusObjects(frame, report, BASE_URL).map((object) => putStatusObject(RESULTS_BUCKET, object)));
  return report;
}
