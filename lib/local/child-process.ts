// Finds and ends every process that a sandbox started, also those that left its process group, as browsers do.
import { readdirSync, readFileSync } from "node:fs";

export interface Family {
  /** Folder that belongs to the family alone; whoever has it in the environment or in an argument is a member. */
  readonly folder: string;

  /** The process that was started first and leads its own session. */
  readonly leader?: number | undefined;
}

/**
 * Kills the whole family with SIGKILL, and again those that were started meanwhile. Without /proc, as on macOS, only
 * the leader's process group is found.
 */
export function killFamily(family: Family): void {
  if (family.leader !== undefined) kill(-family.leader);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const members = membersOf(family);
    if (members.length === 0) return;
    for (const pid of members) kill(pid);
  }
}

/** Against a process that starts others faster than they can be killed, as a fork bomb does. */
const MOST_ROUNDS = 50;

/** Ids of the living members. The children of a member and the processes of its session are members too. */
export function membersOf({ folder, leader }: Family): number[] {
  const processes = readProcesses();
  const members = new Set(processes.filter(({ pid }) => mentions(pid, folder)).map(({ pid }) => pid));
  const belongs = ({ parent, session }: RunningProcess) =>
    members.has(parent) || members.has(session) || (leader !== undefined && session === leader);
  for (let found = true; found; ) {
    const more = processes.filter((each) => !members.has(each.pid) && belongs(each));
    for (const { pid } of more) members.add(pid);
    found = more.length > 0;
  }
  return [...members];
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

function readProcesses(): RunningProcess[] {
  return pidsOf("/proc")
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => {
      // "pid (command) state ppid pgrp session …"; the command may itself contain spaces and parentheses.
      const fields = read(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, "")
        .split(" ");
      const [state, parent, , session] = fields;
      const isGone = state === undefined || parent === undefined || state === "Z" || state === "X";
      return isGone ? [] : [{ pid, parent: Number(parent), session: Number(session) }];
    });
}

function pidsOf(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function mentions(pid: number, folder: string): boolean {
  return read(`/proc/${pid}/environ`).includes(folder) || read(`/proc/${pid}/cmdline`).includes(folder);
}

/** Empty when the process has ended meanwhile or belongs to somebody else. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
