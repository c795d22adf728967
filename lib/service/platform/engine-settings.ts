// What the engine gets of a function's environment. The engine itself reads no variable, so that it can run where there are no others.
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { environment } from "./environment.ts";

/**
 * The settings for `createBrowserLauncher`, with the private origins that its pages may reach. They are the caller's to name: code that
 * captures for visitors must not be able to read those of the stage. Throws when the environment is invalid.
 */
export function engineSettings(allowed: AllowedOrigins) {
  const env = environment(
    "BLOCKING_FILES",
    "CAPTURE_LIMITS",
    "LAUNCH_AHEAD",
    "READY_BROWSER_PERMIT",
    "PROCESS_ACCESS",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  );
  return {
    packedFiles: packedFiles(),
    blockingFiles: env.BLOCKING_FILES,
    limits: env.CAPTURE_LIMITS,
    functionMegabytes: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    launchesAhead: env.LAUNCH_AHEAD === "true",
    readyPermit: env.READY_BROWSER_PERMIT,
    processAccess: env.PROCESS_ACCESS,
    allowed,
  };
}

/** The folders that Chromium is unpacked from. Throws when the environment is invalid. */
export function packedFiles() {
  const { CHROMIUM_FILES, FONT_FILES } = environment("CHROMIUM_FILES", "FONT_FILES");
  return { chromium: CHROMIUM_FILES, fonts: FONT_FILES };
}
