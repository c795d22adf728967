// Chooses how a function renders: it invokes the function that `RENDERER_FUNCTION` names, or runs Chromium itself.
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { environment, optionalVariable } from "../platform/environment.ts";
import type { CreateRenderer } from "./renderer.ts";

/** False in the bundle of a function that another one renders for. */
declare const HAS_ENGINE: boolean;

/** The renderer of this function. Only the code that it needs is loaded. Throws when the environment is invalid. */
export async function functionRenderer(): Promise<CreateRenderer> {
  const functionName = optionalVariable("RENDERER_FUNCTION");
  if (functionName !== undefined) {
    const { remoteRenderer } = await import("./remote-renderer.ts");
    const env = environment("CAPTURE_LIMITS", "RESULTS_BUCKET", "TENANT_ISOLATION", "TENANT_POOL");
    return remoteRenderer({
      functionName,
      isolatesTenants: env.TENANT_ISOLATION === "on",
      tenantPool: env.TENANT_POOL,
      bucket: env.RESULTS_BUCKET,
      maxBytes: env.CAPTURE_LIMITS.result_megabytes * 1e6,
    });
  }
  if (typeof HAS_ENGINE === "undefined" || HAS_ENGINE) {
    const [{ createBrowserLauncher }, { engineSettings }, { embeddedRenderer }] = await Promise.all([
      import("../../engine/browser-launcher.ts"),
      import("../platform/engine-settings.ts"),
      import("./embedded-renderer.ts"),
    ]);
    return embeddedRenderer(createBrowserLauncher(engineSettings(allowedOrigins())));
  }
  throw new Error("The variable RENDERER_FUNCTION is missing: this function has no engine.");
}
