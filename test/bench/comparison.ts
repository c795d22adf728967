// A run of the bench beside an earlier one: what has changed by more than the noise of both. Pure.
import { median, quantile, table } from "./figures.ts";
import { isBetterHigher, type Measurement } from "./measurement.ts";

export interface Change {
  readonly name: string;
  readonly unit: Measurement["unit"];
  /** Medians. */
  readonly before: number;
  readonly after: number;
  /** By how much the medians can differ although nothing has changed; infinite where there are too few samples. */
  readonly noise: number;
  readonly verdict: "better" | "worse" | "";
}

/** With fewer, how they are spread says nothing. */
const FEWEST_SAMPLES = 3;

/** A change for the worse ends the bench with an error from this share of the earlier median on. */
const TOLERATED = 0.05;

/**
 * Half the width of a notch: where the notches of two medians do not overlap, they differ at about the 95 % level.
 * McGill, Tukey and Larsen, "Variations of Box Plots", 1978.
 */
export function notch(samples: readonly number[]): number {
  if (samples.length < FEWEST_SAMPLES) return Number.POSITIVE_INFINITY;
  return (1.57 * (quantile(samples, 0.75) - quantile(samples, 0.25))) / Math.sqrt(samples.length);
}

/** What both runs have measured, in the order of the new one. */
export function changes(before: readonly Measurement[], after: readonly Measurement[]): Change[] {
  const earlier = new Map(before.map((measurement) => [measurement.name, measurement]));
  return after.flatMap((measurement) => {
    const former = earlier.get(measurement.name);
    return former && former.unit === measurement.unit ? [change(former, measurement)] : [];
  });
}

function change(before: Measurement, after: Measurement): Change {
  const [from, to] = [median(before.samples), median(after.samples)];
  const noise = notch(before.samples) + notch(after.samples);
  const isMore = to > from;
  const verdict = Math.abs(to - from) <= noise ? "" : isMore === isBetterHigher(after) ? "better" : "worse";
  return { name: after.name, unit: after.unit, before: from, after: to, noise, verdict };
}

/** One sentence for each change for the worse that is beyond the noise and 5 %. */
export function regressions(all: readonly Change[]): string[] {
  return all
    .filter(({ verdict, before, after }) => verdict === "worse" && Math.abs(after - before) > TOLERATED * before)
    .map(({ name, unit, before, after }) => `${name}: ${figure(before)} became ${figure(after)} ${unit}.`);
}

/** A table of all changes; only what is beyond the noise is marked. */
export function changeTable(all: readonly Change[]): string {
  const rows = all.map(({ name, unit, before, after, noise, verdict }) => [
    name,
    unit,
    figure(before),
    figure(after),
    percent((after - before) / before),
    Number.isFinite(noise) ? `± ${figure(noise)}` : "unknown",
    verdict,
  ]);
  return table([["measurement", "unit", "saved", "now", "change", "noise", ""], ...rows]);
}

/** Three digits that count. */
function figure(value: number): string {
  if (value === 0 || Math.abs(value) >= 100) return value.toFixed(0);
  return value.toPrecision(3);
}

function percent(share: number): string {
  if (!Number.isFinite(share)) return "";
  return `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)} %`;
}
