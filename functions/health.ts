// GET /health: a liveness check, with the versions of the filter lists. Needs no key.

import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import type { FilterList } from "../lib/engine/adblock/filter-lists.ts";

/** Defined when the function is bundled: the lists in the layer of the functions that block requests. */
declare const FILTER_LISTS: readonly FilterList[];

export const handler = routeHandler<"GET /health">(() => json(200, { status: "ok", lists: FILTER_LISTS }));
