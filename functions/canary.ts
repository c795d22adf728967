// Captures a page of its own every five minutes: the alarm `canary` and `GET /health` tell whether that works. Meanwhile, it sends
// requests to the public address of the API, which the alarm `api-canary` reports. A deployment invokes its new version once, before it
// gets traffic.
import "../lib/service/captures/start-unpacking.ts";
import type { CanaryEvent } from "../lib/service/health/canary.ts";

// Imported while other threads unpack Chromium.
const [{ functionRenderer }, { runCanary, tryCanary }, { runApiCanary }, { environment }] = await Promise.all([
  import("../lib/service/rendering/function-renderer.ts"),
  import("../lib/service/health/canary.ts"),
  import("../lib/service/health/api-canary.ts"),
  import("../lib/service/platform/environment.ts"),
]);
const { ACTIVITY_TABLE, ...api } = environment("ACTIVITY_TABLE", "ACCOUNTS_TABLE", "BASE_URL");
const createRenderer = await functionRenderer();

export const handler = async (event: CanaryEvent): Promise<void> => {
  if (event.is_check) return tryCanary(createRenderer);
  await Promise.all([runCanary(createRenderer, ACTIVITY_TABLE), runApiCanary(api, Date.now())]);
};
