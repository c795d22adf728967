// GET /health: says that the service answers, and by which filter lists it blocks. Needs no key.

import type { FilterList } from "../lib/capture/blocking/filter-lists.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";

/** Written in when the function is bundled: the lists in the layer of those functions that use them. */
declare const FILTER_LISTS: readonly FilterList[];

export const handler = apiHandler(() => json(200, { status: "ok", lists: FILTER_LISTS }));
