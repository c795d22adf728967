// The data folder of a service: locks it for one service at a time, and cleans up after a crashed one.
import { chmodSync, lchownSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { killProcessTree } from "../child-process.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { readProcessFile } from "../proc.ts";

export interface DataFolder {
  /** Folder of the data that survives a restart. */
  readonly data: string;
  readonly logs: string;
  /** Folder that exists while the service runs. Each of its processes has this path in its environment. Ends with a slash. */
  readonly run: string;
  /** Writes `service.json`, by which other commands find the service. */
  publish(service: object): void;
  /** Releases the lock. */
  close(): void;
}

/** Throws `LocalServiceError` when the folder cannot be written or another service is using it. */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path);
  const [data, logs, run] = [join(folder, "data"), join(folder, "logs"), join(folder, "run/")];
  const [lock, serviceFile] = [join(folder, "service.lock"), join(folder, "service.json")];
  const cleanUp = () => {
    killProcessTree({ folder: run });
    rmSync(run, { recursive: true, force: true, maxRetries: 5 });
    rmSync(serviceFile, { force: true });
  };
  try {
    for (const each of [data, logs]) createFolder(each);
    requireFreeSpace(folder, MIN_FREE_BYTES);
    takeLock(lock, folder);
    cleanUp();
    mkdirSync(run);
    // They have secrets and results. A umask would also make private what is built for Lambda, which then could not read it.
    for (const each of [data, logs, run]) chmodSync(each, 0o700);
  } catch (cause) {
    if (cause instanceof LocalServiceError) throw cause;
    const reason = describeReason(cause as NodeJS.ErrnoException);
    const message = `The data folder ${folder} cannot be written: ${reason}. Set DATA_DIR to another folder.`;
    throw new LocalServiceError(message, { cause });
  }
  return {
    data,
    logs,
    run,
    publish: (service) => writeFileSync(serviceFile, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 }),
    close() {
      cleanUp();
      rmSync(lock, { force: true });
    },
  };
}

/** Two functions unpack Chromium, 209 MB each. The rest is for results and logs. */
const MIN_FREE_BYTES = 512 * 2 ** 20;

/** Throws `LocalServiceError` when the disk of the folder has fewer than `bytes` bytes free. */
export function requireFreeSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes) return;
  const [free, needed] = [bavail * bsize, bytes].map((each) => Math.round(each / 2 ** 20).toLocaleString("en"));
  throw new LocalServiceError(
    `The disk of the data folder ${folder} is full: ${free} MB are free, and the service needs ${needed} MB. Free some space, or set DATA_DIR to a folder on another disk.`,
  );
}

/**
 * Creates a folder and its parents. Root gives them to the owner of the folder that they are in: the service runs as another user than
 * the operator who restores a backup. `mkdirSync` with `recursive` never returns where the file system reports ENOENT for a folder whose
 * parent exists, as /proc does.
 */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) createFolder(dirname(path));
  try {
    mkdirSync(path);
    const { uid, gid } = statSync(dirname(path));
    if (process.getuid?.() === 0) lchownSync(path, uid, gid);
  } catch (error) {
    const exists = statSync(path, { throwIfNoEntry: false })?.isDirectory(); // another process was faster
    if (!exists) throw error;
  }
}

const reasons: Partial<Record<string, (path: string) => string>> = {
  EACCES: (path) => `you have no permission to write ${path}`,
  EPERM: (path) => `you have no permission to write ${path}`,
  EROFS: (path) => `${path} is on a file system that is read-only`,
  EEXIST: (path) => `${path} is a file, not a folder`,
  ENOTDIR: (path) => `a part of ${path} is a file, not a folder`,
  ENOENT: (path) => `${path} cannot be created there`,
  ENOSPC: () => "the disk is full",
};

/** Why a file or folder cannot be created, as a part of a sentence. */
function describeReason({ code = "", path = "it", message }: NodeJS.ErrnoException): string {
  return reasons[code]?.(path) ?? message;
}

/** The lock names its owner by process id and start time, because process ids are reused. */
function takeLock(lock: string, folder: string): void {
  const owner = `${process.pid} ${readStartTime(process.pid)}`;
  try {
    writeFileSync(lock, owner, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const [pid = "", startTime] = readFileSync(lock, "utf8").split(" ");
    if (startTime !== undefined && isRunning(Number(pid)) && readStartTime(Number(pid)) === startTime) {
      throw new LocalServiceError(`The data folder ${folder} is in use by the service with process id ${pid}.`);
    }
    rmSync(lock, { force: true }); // its owner has crashed
    takeLock(lock, folder);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Start time of a process in clock ticks, or an empty string without /proc. */
function readStartTime(pid: number): string {
  return (
    readProcessFile(pid, "stat")
      .replace(/^.*\) /s, "")
      .split(" ")[19] ?? ""
  );
}
