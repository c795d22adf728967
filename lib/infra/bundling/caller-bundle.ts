// The bundle of a function for which the renderer captures.
import type { BundleOptions } from "./bundle.ts";

/** Without the engine, and without what decodes images, which a page that has broken out of Chromium could feed. */
export const callerBundle = (nativePackages: readonly string[] = []): BundleOptions => ({
  nativePackages,
  define: { HAS_ENGINE: "false" },
});
