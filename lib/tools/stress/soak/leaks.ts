// Leak detection in a series of observations: memory, open files and folders must not grow.
import { median } from "../../measure/figures.ts";
import type { Observation, ProcessResources } from "./observation.ts";

/** Memory of Node grows and shrinks although garbage was collected: what is beyond both of these is a leak. */
const MEMORY_TOLERANCE = { share: 0.15, megabytes: 40 };
/** Connections to databases that are kept open for the next call. */
const FILES_TOLERANCE = 8;

/** Sentences on what the function processes kept, and on processes that should not be there. */
export function findAllLeaks(observations: readonly Observation[]): string[] {
  const unexpectedProcesses = observations.flatMap(({ otherProcesses: unexpectedProcesses, captures }) =>
    unexpectedProcesses.map((process) => `After ${captures} captures the process ${process} was left.`),
  );
  return [...unexpectedProcesses, ...groupByProcess(observations).flatMap(findLeaks)];
}

/** What one process held at each observation that it was there for, oldest first. */
export function groupByProcess(observations: readonly Observation[]): (readonly ProcessResources[])[] {
  const held = observations.flatMap((observation) => observation.processes);
  return [...Map.groupBy(held, ({ process }) => process.pid).values()];
}

/** A tenth of the observations from each end, one at least. The first capture makes a process larger once. */
export function firstAndLastTenth(history: readonly ProcessResources[]): {
  first: readonly ProcessResources[];
  last: readonly ProcessResources[];
} {
  const tenth = Math.max(1, Math.round(history.length / 10));
  return { first: history.slice(0, tenth), last: history.slice(-tenth) };
}

export const medianMemory = (some: readonly ProcessResources[]) => median(some.map(({ rssMegabytes }) => rssMegabytes));
export const medianOpenFiles = (some: readonly ProcessResources[]) => median(some.map(({ files }) => files));

function findLeaks(history: readonly ProcessResources[]): string[] {
  const { first, last } = firstAndLastTenth(history);
  const [process, before] = [history[0]?.process, new Set(first[0]?.entries)];
  if (!process) return [];
  const called = `${process.name} (${process.pid})`;
  const [memory, files] = [medianMemory(last) - medianMemory(first), medianOpenFiles(last) - medianOpenFiles(first)];
  const allowed = Math.max(MEMORY_TOLERANCE.megabytes, MEMORY_TOLERANCE.share * medianMemory(first));
  const left = (last.at(-1)?.entries ?? []).filter((entry) => !before.has(entry));
  return [
    ...(memory > allowed ? [`${called} holds ${memory} MB more than it did, where ${allowed.toFixed(0)} may be.`] : []),
    ...(files > FILES_TOLERANCE ? [`${called} has ${files} more files open than it had.`] : []),
    ...(left.length > 0 ? [`${called} left in its temporary folder: ${left.slice(0, 5).join(", ")}.`] : []),
  ];
}
