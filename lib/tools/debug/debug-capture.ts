// Debugs one capture: runs it with the product's engine, and keeps its result, a trace of Chromium, and the times of its steps.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatKind } from "../../contract/options/formats.ts";
import type { BrowserSession, BrowserSettings, ChromiumStart } from "../../engine/browser/browser.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { type MeasuredWork, PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { engineCapture, type PageOptions } from "../measure/engine-capture.ts";
import { startTrace } from "./chromium-trace.ts";

export interface DebugSettings {
  /** Folder for what is kept. */
  readonly output: string;
  /** `address:port` of servers on this machine that the page may reach. */
  readonly allow: readonly string[];
  /** Copies the profile of each browser, which then writes cookies, caches and databases to it. */
  readonly keepsProfile: boolean;
  /** A full Chrome or Chromium to show the capture in a window, in place of the headless shell of the product. */
  readonly chrome?: string | undefined;
}

export interface DebuggedCapture {
  /** The result, or why there is none. */
  readonly outcome: Capture | Error;
  /** In the order in which they ended. */
  readonly steps: readonly DebuggedStep[];
  /** Paths of the files and folders that were written. */
  readonly files: readonly string[];
  /** What could not be kept, one sentence each. */
  readonly problems: readonly string[];
}

export interface DebuggedStep extends Pick<MeasuredWork, "phase" | "name"> {
  /** Milliseconds since the start of the capture. */
  readonly startedMs: number;
  readonly durationMs: number;
}

/** Captures with options as a caller sends them. Each attempt and each further browser has a trace and a profile of its own. */
export async function debugCapture(options: PageOptions, settings: DebugSettings): Promise<DebuggedCapture> {
  const { output, allow, keepsProfile, chrome } = settings;
  mkdirSync(output, { recursive: true });
  const [files, problems, steps]: [string[], string[], DebuggedStep[]] = [[], [], []];
  const startedAt = performance.now();
  const clock = new PhaseClock(undefined, {
    onMeasured: ({ phase, name, startedAt: from, endedAt }) =>
      steps.push({ phase, name, startedMs: from - startedAt, durationMs: endedAt - from }),
  });
  const keep = async (name: string, write: (path: string) => Promise<void> | void) => {
    const path = join(output, name);
    try {
      await write(path);
      files.push(path);
    } catch (error) {
      problems.push(`${name} could not be kept: ${error instanceof Error ? error.message : error}`);
    }
  };
  let browsers = 0;
  const onLaunch = async (session: BrowserSession): Promise<BrowserSession> => {
    const suffix = ++browsers === 1 ? "" : `-${browsers}`;
    const writeTrace = await startTrace(session);
    const close = async () => {
      await keep(`trace${suffix}.json`, writeTrace);
      if (keepsProfile) await keep(`profile${suffix}`, (path) => copyProfile(session, path));
      await session.close();
    };
    let closing: Promise<void> | undefined;
    return { ...session, close: () => (closing ??= close()) };
  };
  const adaptSettings = (each: BrowserSettings) => adaptForDebugging(each, { keepsProfile, chrome });
  const take = engineCapture({ allow, isOffline: false, clock, onLaunch, adaptSettings });
  const outcome = await take(options).catch((error: Error) => error);
  if (!(outcome instanceof Error)) {
    const { body, format, slices: _, ...facts } = outcome;
    const extension = { markdown: "md", text: "txt", animated_webp: "webp" }[format as string] ?? format;
    await keep(`result.${extension}`, (path) => writeFileSync(path, body));
    await keep("result-facts.json", (path) =>
      writeFileSync(path, `${JSON.stringify({ kind: formatKind(format), ...facts }, null, 2)}\n`),
    );
  }
  await keep("steps.json", (path) => writeFileSync(path, `${JSON.stringify(steps, null, 2)}\n`));
  return { outcome, steps, files, problems };
}

function adaptForDebugging(
  settings: BrowserSettings,
  { keepsProfile, chrome }: Pick<DebugSettings, "keepsProfile" | "chrome">,
): BrowserSettings {
  const adaptStart = (start: ChromiumStart): ChromiumStart => {
    const flags = start.flags.filter((flag) => !(keepsProfile && flag === "--incognito"));
    return chrome === undefined ? { ...start, flags } : inWindow({ ...start, flags }, chrome);
  };
  if (chrome === undefined) return { ...settings, adaptStart };
  const { preload: _, ...files } = settings.files;
  const limits = { ...settings.limits, memory_megabytes: MEMORY_OF_CHROME_MB };
  return { ...settings, files, limits, frameMode: "continuous", adaptStart };
}

/** A full Chrome has several processes. Each reserves far more memory than it uses. */
const MEMORY_OF_CHROME_MB = 1_000_000;

/** Flags of a headless shell in one process, with which a full Chrome opens no window. */
const SHELL_FLAGS = /^--(headless|single-process|no-zygote|in-process-gpu|use-gl=|use-angle=)/;

function inWindow({ flags, environment }: ChromiumStart, chrome: string): ChromiumStart {
  const { DISPLAY = "", XAUTHORITY = "" } = process.env;
  const { LD_LIBRARY_PATH: _, ...others } = environment;
  return {
    program: chrome,
    flags: flags.filter((flag) => !SHELL_FLAGS.test(flag)),
    environment: { ...others, DISPLAY, XAUTHORITY },
  };
}

function copyProfile({ browser }: BrowserSession, path: string): void {
  const flag = "--user-data-dir=";
  const { pid, spawnargs = [] } = browser.process() ?? {};
  const folder = spawnargs.find((argument) => argument.startsWith(flag))?.slice(flag.length);
  if (folder === undefined || pid === undefined) throw new Error("The browser has no process.");
  process.kill(-pid, "SIGSTOP"); // it must not change the files meanwhile; its next signal kills it
  // Sockets and the lock of a running browser cannot be copied, and mean nothing elsewhere.
  cpSync(folder, path, { recursive: true, filter: (source) => !/\/Singleton\w+$/.test(source) });
}
