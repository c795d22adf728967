// Finds and kills every process of a process tree, including those that left its process group, as browsers do.
import { readProcessFile, runningPids } from "./proc.ts";

export interface ProcessTree {
  /** Folder of this tree alone. A process that has it in its environment or in an argument belongs to the tree. */
  readonly folder: string;

  /** The process that was started first, which leads its own session. */
  readonly leader?: number | undefined;
}

/**
 * Kills all processes of a tree with SIGKILL, and repeats for those that were started meanwhile. Without /proc, as on
 * macOS, it kills the leader's process group only.
 */
export function killProcessTree(tree: ProcessTree): void {
  if (tree.leader !== undefined) killProcess(-tree.leader);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pids = findProcesses(tree);
    if (pids.length === 0) return;
    for (const pid of pids) killProcess(pid);
  }
}

/** A fork bomb starts processes faster than they can be killed. */
const MAX_ROUNDS = 50;

/** Ids of the running processes of a tree, with their children and the processes of their sessions. */
export function findProcesses({ folder, leader }: ProcessTree): number[] {
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
  return runningPids()
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => {
      // "pid (command) state ppid pgrp session …"; the command may itself contain spaces and parentheses.
      const fields = readProcessFile(pid, "stat")
        .replace(/^.*\) /s, "")
        .split(" ");
      const [state, parent, , session] = fields;
      const isGone = state === undefined || parent === undefined || state === "Z" || state === "X";
      return isGone ? [] : [{ pid, parent: Number(parent), session: Number(session) }];
    });
}

function mentions(pid: number, folder: string): boolean {
  return readProcessFile(pid, "environ").includes(folder) || readProcessFile(pid, "cmdline").includes(folder);
}

/** Kills a process with SIGKILL; a negative id kills a process group. It may have exited already. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has exited.
  }
}
