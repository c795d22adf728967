// GET /health: whether the service answers and captures work, with the versions of Chromium and of the filter lists. Needs no key.

import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import type { FilterList } from "../lib/engine/adblock/filter-lists.ts";
import { ageInDays, chromium } from "../lib/engine/browser/chromium-build.ts";
import { readCaptureHealth } from "../lib/health/health-state.ts";
import { environment } from "../lib/platform/environment.ts";

/** Defined when the function is bundled: the lists in the layer of the functions that block requests. */
declare const FILTER_LISTS: readonly FilterList[];

const { ACTIVITY_TABLE } = environment("ACTIVITY_TABLE");

export const handler = routeHandler<"GET /health">(async ({ receivedAt }) => {
  const captures = await readCaptureHealth(ACTIVITY_TABLE, receivedAt);
  const build = { version: chromium.browser, age_days: ageInDays(receivedAt) };
  return json(200, { status: "ok", captures, chromium: build, lists: FILTER_LISTS });
});
