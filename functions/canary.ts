// Captures a page of its own every five minutes: the alarm `canary` and `GET /health` tell whether that works. Meanwhile, it sends
// requests to the public address of the API, which the alarm `api-canary` reports. Then it publishes the status page. A deployment invokes
// its new version once, before it gets traffic.
import "../lib/service/captures/start-unpacking.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CanaryEvent } from "../lib/service/health/canary.ts";

// Imported while other threads unpack Chromium.
const [
  { functionRenderer },
  { tryCanary },
  { runChecks },
  { publishStatus },
  { completePage },
  { STATUS_FRAME_FILE },
  { environment },
  { operatorIdentity },
] = await Promise.all([
  import("../lib/service/rendering/function-renderer.ts"),
  import("../lib/service/health/canary.ts"),
  import("../lib/service/health/run-checks.ts"),
  import("../lib/site/status/publish-status.ts"),
  import("../lib/site/complete-page.ts"),
  import("../lib/site/site-files.ts"),
  import("../lib/service/platform/environment.ts"),
  import("../lib/service/platform/operator-identity.ts"),
]);
const env = environment("ACTIVITY_TABLE", "ACCOUNTS_TABLE", "RESULTS_BUCKET", "BASE_URL");
const createRenderer = await functionRenderer();

export const handler = async (event: CanaryEvent): Promise<void> => {
  if (event.is_check) return tryCanary(createRenderer);
  await runChecks(createRenderer, env, Date.now());
  await publishStatus(env, frame(), Date.now());
};

/** The status page without its content. It has no part that depends on whether visitors can sign up or capture. */
function frame(): string {
  return completePage(readFileSync(join(import.meta.dirname, STATUS_FRAME_FILE), "utf8"), {
    type: "text/html",
    baseUrl: env.BASE_URL,
    signUp: "closed",
    mail: "off",
    keylessCaptures: "off",
    identity: operatorIdentity(),
  });
}
