// The ready browsers of a local service, found through /proc: each function process keeps at most one for its next capture.
import { basename } from "node:path";
import { readProcessFile, runningPids } from "./proc.ts";

export interface ReadyBrowsers {
  /** Process ids. */
  readonly pids: ReadonlySet<number>;
  /** Names of their profile folders. */
  readonly profiles: ReadonlySet<string>;
}

interface RunningBrowser {
  readonly pid: number;
  /** Name of its profile folder, which holds the id of the function process. */
  readonly profile: string;
}

/** Ids of all browsers of the service whose data lie in `dataDir`, ready ones and others. */
export function browserProcesses(dataDir: string): number[] {
  return runningBrowsers(dataDir).map(({ pid }) => pid);
}

/** The browsers that are the only ones of a running function process. While it captures, that one is the capture's. */
export function readyBrowsers(dataDir: string): ReadyBrowsers {
  const byOwner = Map.groupBy(runningBrowsers(dataDir), ({ profile }) => ownerOf(profile));
  const ready = [...byOwner]
    .filter(([owner, browsers]) => browsers.length === 1 && readProcessFile(owner, "cmdline") !== "")
    .flatMap(([, browsers]) => browsers);
  return { pids: new Set(ready.map(({ pid }) => pid)), profiles: new Set(ready.map(({ profile }) => profile)) };
}

function runningBrowsers(dataDir: string): RunningBrowser[] {
  return runningPids().flatMap((pid) => {
    // Chromium rewrites its command line, with spaces between the arguments.
    const [, path] = readProcessFile(pid, "cmdline").split(`--user-data-dir=${dataDir}/`);
    return path === undefined ? [] : [{ pid, profile: basename(path.split(/[\s\0]/)[0] ?? "") }];
  });
}

/** Folders are named `profile-<process id>-<start time>-<random>`. */
function ownerOf(profile: string): number {
  return Number(profile.split("-")[1]);
}
