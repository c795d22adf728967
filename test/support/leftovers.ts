// Leftovers of browsers: asserts that no process and no profile of them is left, after one capture or after a test file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { BrowserSession } from "../../lib/engine/browser/browser.ts";
import { afterEachTestFile } from "./test-file.ts";

/** Profiles of the browsers of this test file, which its end asserts to be gone. */
const profilesOfFile: string[] = [];
let processesBeforeFile = new Set(processIds());
afterEachTestFile(async () => {
  await assertNothingLeft(profilesOfFile.splice(0), processesBeforeFile);
  processesBeforeFile = new Set(processIds());
});

/** Makes the test file fail when something of this browser is left at its end. */
export function assertGoneAfterFile(session: BrowserSession): void {
  profilesOfFile.push(profileFolder(session));
}

/** A capture is over when its browsers are killed; `close` gives each a second to die, and another to the processes it has started. */
const CLEANUP_TIMEOUT_MS = 3_000;

/**
 * Rejects when browsers with these profile folders have left a folder or a process. Only processes that are not in
 * `before` can be theirs; reading the command line of every process takes longer than the rest of a small capture.
 */
export async function assertNothingLeft(profiles: readonly string[], before: ReadonlySet<string>): Promise<void> {
  const expiry = performance.now() + CLEANUP_TIMEOUT_MS;
  for (;;) {
    const left = [
      ...profiles.filter((profile) => existsSync(profile)),
      ...commandLines(before).filter((line) => profiles.some((profile) => line.includes(profile))),
    ];
    if (left.length === 0) return;
    if (performance.now() > expiry)
      throw new Error(`Still there after the capture: ${left.map((name) => name.slice(0, 80)).join("; ")}`);
    await setTimeout(20);
  }
}

export function profileFolder(session: BrowserSession): string {
  const flag = browserProcess(session).spawnargs.find((argument) => argument.startsWith("--user-data-dir="));
  if (flag === undefined) throw new Error("The browser has no profile of its own.");
  return flag.slice("--user-data-dir=".length);
}

export function browserProcess(session: BrowserSession) {
  const child = session.browser.process();
  if (!child) throw new Error("The browser has no process.");
  return child;
}

/** The ids of all processes of this machine. */
export function processIds(): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

/** The command lines of the processes that are not among `known`. */
function commandLines(known: ReadonlySet<string>): string[] {
  return processIds()
    .filter((pid) => !known.has(pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return ""; // it has ended meanwhile
      }
    });
}
