// Whether the service answers and captures work, with the versions of Chromium and of the filter lists.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FilterList } from "../../engine/adblock/filter-lists.ts";
import { ageInDays, chromium } from "../../engine/browser/chromium-build.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { optionalVariable } from "../platform/environment.ts";
import { readCaptureHealth } from "./health-state.ts";
import type { Health } from "./responses.ts";

/** The lists in the layer of the functions that block requests, as JSON. Defined when the function is bundled. */
declare const FILTER_LISTS: string;

export async function getHealth({
  request: { receivedAt },
  env,
}: RouteCall<"public", unknown, "ACTIVITY_TABLE">): Promise<ApiResponse<ResponseBody<typeof Health>>> {
  const captures = await readCaptureHealth(env.ACTIVITY_TABLE, receivedAt);
  const build = { version: chromium.browser, age_days: ageInDays(receivedAt) };
  return json(200, {
    status: "ok",
    captures,
    chromium: build,
    lists: await readLists(),
  });
}

/** On one machine, lists are updated without a deployment, and the function has their folder. On AWS it has no layer. */
async function readLists(): Promise<readonly FilterList[]> {
  const folder = optionalVariable("BLOCKING_FILES");
  return JSON.parse(folder === undefined ? FILTER_LISTS : await readFile(join(folder, "lists.json"), "utf8"));
}
