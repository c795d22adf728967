// The folder in which a service keeps its data: one service at a time, and what a crashed one has left is cleared away.
import { mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { killFamily } from "../child-process.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface DataFolder {
  /** What has to survive. */
  readonly data: string;
  readonly logs: string;
  /** What lives as long as the service: every process of it has this path in its environment. Ends with a slash. */
  readonly run: string;
  /** Lets other commands find the service, as `service.json`. */
  publish(service: object): void;
  /** Gives the folder free for the next service. */
  close(): void;
}

/** Throws `LocalServiceError` when the folder cannot be written or another service is using it. */
export function openDataFolder(path: string): DataFolder {
  const folder = resolve(path);
  const [data, logs, run] = [join(folder, "data"), join(folder, "logs"), join(folder, "run/")];
  const [lock, serviceFile] = [join(folder, "service.lock"), join(folder, "service.json")];
  const clear = () => {
    killFamily({ folder: run });
    rmSync(run, { recursive: true, force: true, maxRetries: 5 });
    rmSync(serviceFile, { force: true });
  };
  try {
    for (const each of [data, logs]) makeFolder(each);
    requireRoom(folder, MIN_FREE_BYTES);
    takeLock(lock, folder);
    clear();
    mkdirSync(run);
  } catch (cause) {
    if (cause instanceof LocalServiceError) throw cause;
    const reason = reasonOf(cause as NodeJS.ErrnoException);
    const message = `The data folder ${folder} cannot be written: ${reason}. Set DATA_DIR to another folder.`;
    throw new LocalServiceError(message, { cause });
  }
  return {
    data,
    logs,
    run,
    publish: (service) => writeFileSync(serviceFile, `${JSON.stringify(service, null, 2)}\n`),
    close() {
      clear();
      rmSync(lock, { force: true });
    },
  };
}

/** Two functions unpack Chromium, 209 MB each; the rest is for results and logs. */
const MIN_FREE_BYTES = 512 * 2 ** 20;

/** Throws `LocalServiceError` when fewer than so many bytes are free where the folder is. */
export function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes) return;
  const [free, needed] = [bavail * bsize, bytes].map((each) => Math.round(each / 2 ** 20).toLocaleString("en"));
  throw new LocalServiceError(
    `The disk of the data folder ${folder} is full: ${free} MB are free, and the service needs ${needed} MB. Free some space, or set DATA_DIR to a folder on another disk.`,
  );
}

/**
 * Makes a folder and the folders above it. Unlike `mkdirSync` with `recursive`, it ends where the file system reports that a
 * folder whose parent exists has no parent, as /proc does: Node tries that again for ever.
 */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory(); // another process was faster
    if (!isThere) throw error;
  }
}

const reasons: Partial<Record<string, (path: string) => string>> = {
  EACCES: (path) => `you have no permission to write ${path}`,
  EPERM: (path) => `you have no permission to write ${path}`,
  EROFS: (path) => `${path} is on a file system that is read-only`,
  EEXIST: (path) => `${path} is a file, not a folder`,
  ENOTDIR: (path) => `a part of ${path} is a file, not a folder`,
  ENOENT: (path) => `${path} cannot be made there`,
  ENOSPC: () => "the disk is full",
};

/** Why a file or folder cannot be made, as a part of a sentence. */
function reasonOf({ code = "", path = "it", message }: NodeJS.ErrnoException): string {
  return reasons[code]?.(path) ?? message;
}

/** The lock names its owner by id and time of start, since ids are used again. */
function takeLock(lock: string, folder: string): void {
  const owner = `${process.pid} ${startTimeOf(process.pid)}`;
  try {
    writeFileSync(lock, owner, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const [pid = "", startTime] = readFileSync(lock, "utf8").split(" ");
    if (startTime !== undefined && isRunning(Number(pid)) && startTimeOf(Number(pid)) === startTime) {
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

/** Empty where there is no /proc. */
function startTimeOf(pid: number): string {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19] ?? ""
    );
  } catch {
    return "";
  }
}
