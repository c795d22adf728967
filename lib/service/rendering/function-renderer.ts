// Chooses how a function renders: it invokes the function that `RENDERER_FUNCTION` names, or runs Chromium itself.
import { environment, optionalVariable } from "../platform/environment.ts";
import type { CreateRenderer } from "./renderer.ts";

/** The renderer of this function. Only the code that it needs is loaded. Throws when the environment is invalid. */
export async function functionRenderer(): Promise<CreateRenderer> {
  const functionName = optionalVariable("RENDERER_FUNCTION");
  if (functionName !== undefined) {
    const { remoteRenderer } = await import("./remote-renderer.ts");
    const env = environment("CAPTURE_LIMITS", "RESULTS_BUCKET", "TENANT_ISOLATION");
    return remoteRenderer({
      functionName,
      isolatesTenants: env.TENANT_ISOLATION === "on",
      bucket: env.RESULTS_BUCKET,
      maxBytes: env.CAPTURE_LIMITS.result_megabytes * 1e6,
    });
  }
  const [{ createBrowserLauncher }, { engineSettings }, { embeddedRenderer }] = await Promise.all([
    import("../../engine/browser-launcher.ts"),
    import("../platform/engine-settings.ts"),
    import("./embedded-renderer.ts"),
  ]);
  return embeddedRenderer(createBrowserLauncher(engineSettings()));
}
