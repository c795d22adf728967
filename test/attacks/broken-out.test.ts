// Code that has broken out of Chromium: a process with the browser's user id, started as the browser is, tries to get at the
// function that has started it. Perl stands for the code, because it can make any system call, and each Debian and Ubuntu has it.
import { existsSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attack, createFunctionFolder } from "../support/broken-out/broken-out.ts";

let folder: string;
beforeAll(() => {
  folder = createFunctionFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Ways to the function that the kernel opens to each process of the same user. */
const waysToRead = ["environment", "memory map", "open file", "working directory", "debugger", "prlimit"];

/** Further ones, which some machines close by themselves: Ubuntu by Yama, Docker by its own filter. */
const waysToTrace = ["memory file", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"];

/** Ways out of the process group, with which the browser ends, and around the egress proxy and the filter. */
const waysOut = ["new process", "new program", "unix socket", "unix datagrams", "netlink"];
/** Kernels may lack them. */
const waysAround = ["io_uring", "secret memory", "other protocols", "POSIX message queue", "typed characters"];

/** What outlives the process, and so the capture. */
const waysToStay = ["shared memory", "message queue", "semaphore"];
/** What changes another process, or sends it signals. */
const waysToDisturb = ["signal of a file", "priority", "processors"];

/** What Chromium does itself, and a filter of system calls can't tell apart. */
const open = ["connected pair", "routes of the machine", "udp", "own priority", "tcp on loopback"];

const waysPastKernel = [...waysOut, ...waysToStay, ...waysToDisturb];
const all = [...waysToRead, ...waysToTrace, ...waysPastKernel, ...waysAround, ...open];

const reachedOf = (outcome: Readonly<Record<string, string>>) => all.filter((way) => outcome[way] === "reached");

const NOBODY = 65534;
const ownId = process.getuid?.() ?? 0;
/** Only root can start processes of others. */
const unprivileged = ownId === 0 ? NOBODY : ownId;

const users: [string, number][] = [["an unprivileged user", unprivileged]];
if (ownId === 0) users.push(["root", 0]);

describe.each(users)("code that has broken out of Chromium, as %s", (_, uid) => {
  test("reaches nothing but what Chromium uses itself", () => {
    const outcome = attack(folder, uid, ["closed", "filter"]);
    expect(Object.keys(outcome).toSorted()).toEqual(all.toSorted());
    expect(reachedOf(outcome)).toEqual(open);
  });

  test("reaches the function and starts processes without the protections", () => {
    const outcome = attack(folder, uid, []);
    const isTracingFree = uid === 0 || !existsSync("/proc/sys/kernel/yama/ptrace_scope");
    const ways = [...waysToRead, ...(isTracingFree ? waysToTrace : []), ...waysPastKernel, ...open];
    expect(reachedOf(outcome)).toEqual(expect.arrayContaining(ways));
  });
});

test("code that has broken out of Chromium doesn't reach the function where the kernel refuses the filter", () => {
  const reached = reachedOf(attack(folder, unprivileged, ["closed"]));
  expect(reached.filter((way) => !waysAround.includes(way))).toEqual(["prlimit", ...waysPastKernel, ...open]);
});
