// The longest chain of calls that waited for one another.
import type { Call } from "./counting-engine.ts";

type Span = Pick<Call, "startedAt" | "endedAt">;

/** The length of the longest chain in which each call began when the one before it was over. */
export function inARow(calls: readonly Span[]): number {
  const ordered = [...calls].sort((a, b) => a.endedAt - b.endedAt);
  const lengths: number[] = [];
  for (const { startedAt } of ordered) {
    const before = ordered
      .slice(0, lengths.length)
      .map(({ endedAt }, index) => (endedAt <= startedAt ? lengths[index] : 0));
    lengths.push(1 + Math.max(0, ...before.map((length) => length ?? 0)));
  }
  return Math.max(0, ...lengths);
}
