// The processes of a service's functions, and leftover profiles, from /proc and the disk.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Ids of the processes that run a function of the service whose data lie in `dataDir`. */
export function functionProcesses(dataDir: string, functionName: string): number[] {
  return processes().filter((pid) => {
    const environment = read(pid, "environ").split("\0");
    const isOfService = environment.some((variable) => variable.startsWith(`TMPDIR=${dataDir}/`));
    return isOfService && environment.includes(`AWS_LAMBDA_FUNCTION_NAME=${functionName}`);
  });
}

/** Kills a process, which may have ended meanwhile. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has.
  }
}

/** Profile folders of browsers below `folder`. */
export function profiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && isProfile(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function isProfile(name: string): boolean {
  return name.startsWith("profile-");
}

function processes(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** Empty when the process has ended meanwhile or is somebody else's. */
function read(pid: number, file: "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
