// Captures a page of its own every five minutes: the alarm `canary` and `GET /health` tell whether that works. A deployment
// invokes its new version once, before it gets traffic.
import "../lib/service/captures/start-unpacking.ts";
import type { CanaryEvent } from "../lib/service/health/canary.ts";

// Imported while other threads unpack Chromium.
const [{ functionRenderer }, { runCanary, tryCanary }, { environment }] = await Promise.all([
  import("../lib/service/rendering/function-renderer.ts"),
  import("../lib/service/health/canary.ts"),
  import("../lib/service/platform/environment.ts"),
]);
const { ACTIVITY_TABLE } = environment("ACTIVITY_TABLE");
const createRenderer = await functionRenderer();

export const handler = async (event: CanaryEvent): Promise<void> => {
  await (event.is_check ? tryCanary(createRenderer) : runCanary(createRenderer, ACTIVITY_TABLE));
};
