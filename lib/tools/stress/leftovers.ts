// What captures have left behind: browsers and their profile folders, except the ready browser of each function.
import { globSync } from "node:fs";
import { basename } from "node:path";
import { browserProcesses, readyBrowsers } from "../local/ready-browsers.ts";

export interface Leftovers {
  /** Process ids. */
  readonly browsers: readonly number[];
  /** Paths of profile folders, below the folder of the service's data. */
  readonly profiles: readonly string[];
}

export function findLeftovers(dataDir: string): Leftovers {
  const ready = readyBrowsers(dataDir);
  return {
    browsers: browserProcesses(dataDir).filter((pid) => !ready.pids.has(pid)),
    profiles: globSync("**/profile-*", { cwd: dataDir }).filter((path) => !ready.profiles.has(basename(path))),
  };
}
