// GET /health: says that the service answers, and by which filter lists it blocks. Needs no key.

import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import type { FilterList } from "../lib/engine/adblock/filter-lists.ts";

/** Written in when the function is bundled: the lists in the layer of those functions that use them. */
declare const FILTER_LISTS: readonly FilterList[];

export const handler = routeHandler<"GET /health">(() => json(200, { status: "ok", lists: FILTER_LISTS }));
