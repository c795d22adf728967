// The bundle of a function for which the renderer captures.
import type { BundleOptions } from "./bundle.ts";

/** Without the engine, and without what decodes images, which a page that has broken out of Chromium could feed. */
export const callerBundle = (nativePackages: readonly string[] = []): BundleOptions => ({
  nativePackages,
  withPageScripts: true, // admission plans the capture, by modules of the engine
  define: { HAS_ENGINE: "false" },
});
