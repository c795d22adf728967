// Limits functions to the CPU share that Lambda assigns to their memory, with Linux control groups.
import { type ControlGroup, canControl, openControlGroup } from "./control-group.ts";

/** Memory for which Lambda gives one vCPU. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const MEGABYTES_OF_A_CPU = 1_769;

/**
 * Lambda's is believed to be 20 ms, by those who watched functions being throttled: what is used up early in a period has
 * to wait for the next. Linux's own default is 100 ms.
 */
const PERIOD_MICROSECONDS = 20_000;

/** Microseconds of processor time in each period. */
export function quotaOf(megabytes: number): number {
  return Math.round((megabytes / MEGABYTES_OF_A_CPU) * PERIOD_MICROSECONDS);
}

/** Whether this process may hold others to a share. */
export const canLimit = () => canControl("cpu");

/** Limits a process, with all that it starts from now on, to the share of so much memory. */
export function openCpuShare(pid: number, megabytes: number): ControlGroup {
  const group = openControlGroup("cpu", [pid]);
  group.write("cpu.cfs_period_us", PERIOD_MICROSECONDS);
  group.write("cpu.cfs_quota_us", quotaOf(megabytes));
  return group;
}
