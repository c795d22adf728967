// Whether the service answers and captures work, with the versions of Chromium and of the filter lists.
import { ageInDays, chromium } from "../../engine/browser/chromium-build.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { readFilterLists } from "./filter-lists.ts";
import { readCaptureHealth } from "./health-state.ts";
import type { Health } from "./responses.ts";

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
    lists: await readFilterLists(),
  });
}
