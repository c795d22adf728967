// Judges the age of the shipped Chromium.
import { unanswered } from "./registry.ts";

interface ChromiumAge {
  readonly version: string;
  /** What the registry says of the newest version of the package. */
  readonly newest: unknown;
  readonly ageDays: number;
  readonly maxAgeDays: number;
}

/** What to do about the age, and the exit code: 1 when action is needed, 2 when the registry has not answered. */
export function judgeAge({ version, newest, ageDays, maxAgeDays }: ChromiumAge): {
  readonly advice: string;
  readonly exitCode: 0 | 1 | 2;
} {
  if (typeof newest !== "string") return { advice: unanswered("which version is the newest"), exitCode: 2 };
  if (newest !== version)
    return { advice: `Version ${newest} is available. Install it: npm run upgrade:chromium`, exitCode: 1 };
  if (ageDays <= maxAgeDays) return { advice: "It is the newest package.", exitCode: 0 };
  const advice =
    `That is more than ${maxAgeDays} days, and there is no newer package. Look for security fixes that it lacks at\n` +
    "https://chromereleases.googleblog.com, and replace the package if they are serious.";
  return { advice, exitCode: 1 };
}
