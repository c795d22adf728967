// The watchdog's thread: polls the heartbeat of the main thread, and kills the browsers and the process when it stands still.
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { WatchdogData } from "./watchdog.ts";

const { deadline, beats, groups, pollMs, maxStallMs }: WatchdogData = workerData;

/** Never notified, so that a wait for it is a sleep. */
const sleep = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Polls without a beat since the deadline. Polls are counted rather than time: after a sandbox was frozen, clocks may have jumped
 * by hours, but only one poll has ended, and the event loop runs again as this thread does.
 */
let stalledPolls = 0;
let [lastDeadline, lastBeat] = [0n, 0];
for (;;) {
  const [armed, beat] = [Atomics.load(deadline, 0), Atomics.load(beats, 0)];
  const isLate = armed !== 0n && process.hrtime.bigint() > armed;
  stalledPolls = isLate && armed === lastDeadline && beat === lastBeat ? stalledPolls + 1 : 0;
  if (stalledPolls * pollMs >= maxStallMs) killAll();
  [lastDeadline, lastBeat] = [armed, beat];
  Atomics.wait(sleep, 0, 0, pollMs);
}

function killAll(): void {
  const message = { event: "event loop stood still past the deadline", milliseconds: stalledPolls * pollMs };
  writeSync(2, `${JSON.stringify({ timestamp: new Date().toISOString(), level: "FATAL", message })}\n`);
  for (const pid of groups) if (pid !== 0) kill(-pid);
  kill(process.pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
