// The processor time of processes and of all that they start, also of what was killed and nobody waited for.
import { canControl, openControlGroup } from "./control-group.ts";

export interface CpuMeter extends Disposable {
  /** Milliseconds of processor time since it was opened; NaN where this user may not know. */
  milliseconds(): number;
}

export function openCpuMeter(pids: readonly number[]): CpuMeter {
  if (!canControl("cpuacct")) return { milliseconds: () => Number.NaN, [Symbol.dispose]() {} };
  const group = openControlGroup("cpuacct", pids);
  const NANOSECONDS = 1e6;
  return {
    milliseconds: () => Number(group.read("cpuacct.usage")) / NANOSECONDS,
    [Symbol.dispose]: () => group[Symbol.dispose](),
  };
}
