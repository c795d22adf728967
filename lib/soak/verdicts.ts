// What a series of observations says: memory, files and folders must be at the end what they were at the beginning.
import { median } from "../bench/figures.ts";
import type { Held, Observation } from "./observation.ts";

/** Memory of Node grows and shrinks although garbage was collected: what is beyond both of these is a leak. */
export const MEMORY_TOLERANCE = { share: 0.15, megabytes: 40 };
/** Connections to databases that are kept open for the next call. */
export const FILES_TOLERANCE = 8;

/** Sentences on what the function processes kept, and on processes that should not be there. */
export function leaks(observations: readonly Observation[]): string[] {
  const strangers = observations.flatMap(({ strangers, captures }) =>
    strangers.map((process) => `After ${captures} captures the process ${process} was left.`),
  );
  return [...strangers, ...histories(observations).flatMap(leaksOf)];
}

/** What one process held at each observation that it was there for, oldest first. */
export function histories(observations: readonly Observation[]): (readonly Held[])[] {
  const held = observations.flatMap((observation) => observation.held);
  return [...Map.groupBy(held, ({ process }) => process.pid).values()];
}

/** A tenth of the observations from each end, one at least. The first capture makes a process larger once. */
export function endsOf(history: readonly Held[]): { first: readonly Held[]; last: readonly Held[] } {
  const tenth = Math.max(1, Math.round(history.length / 10));
  return { first: history.slice(0, tenth), last: history.slice(-tenth) };
}

export const memoryOf = (some: readonly Held[]) => median(some.map(({ rssMegabytes }) => rssMegabytes));
export const filesOf = (some: readonly Held[]) => median(some.map(({ files }) => files));

function leaksOf(history: readonly Held[]): string[] {
  const { first, last } = endsOf(history);
  const [process, before] = [history[0]?.process, new Set(first[0]?.entries)];
  if (!process) return [];
  const called = `${process.name} (${process.pid})`;
  const [memory, files] = [memoryOf(last) - memoryOf(first), filesOf(last) - filesOf(first)];
  const allowed = Math.max(MEMORY_TOLERANCE.megabytes, MEMORY_TOLERANCE.share * memoryOf(first));
  const left = (last.at(-1)?.entries ?? []).filter((entry) => !before.has(entry));
  return [
    ...(memory > allowed ? [`${called} holds ${memory} MB more than it did, where ${allowed.toFixed(0)} may be.`] : []),
    ...(files > FILES_TOLERANCE ? [`${called} has ${files} more files open than it had.`] : []),
    ...(left.length > 0 ? [`${called} left in its temporary folder: ${left.slice(0, 5).join(", ")}.`] : []),
  ];
}
