// Captures a page of its own every five minutes: the alarm `canary` and `GET /health` tell whether that works.
import "../lib/engine/browser/start-unpacking.ts";

// Imported while other threads unpack Chromium.
const [{ createBrowserLauncher }, { runCanary }, { environment }] = await Promise.all([
  import("../lib/engine/browser-launcher.ts"),
  import("../lib/health/canary.ts"),
  import("../lib/platform/environment.ts"),
]);
const { ACTIVITY_TABLE } = environment("ACTIVITY_TABLE");
const startBrowser = createBrowserLauncher();

export const handler = async (): Promise<void> => {
  await runCanary(startBrowser, ACTIVITY_TABLE);
};
