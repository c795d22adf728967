// Compares a run of the bench with an earlier one: the changes beyond the noise of both.
import { figureTable, median, quantile } from "./figures.ts";
import { isBetterHigher, type Measurement } from "./measurement.ts";

export interface Change {
  readonly name: string;
  readonly unit: Measurement["unit"];
  readonly isFloor: boolean;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  /** What it would be now if nothing but the machine had changed. */
  readonly expected: number;
  /** By how much it can differ from that although nothing has changed; infinite where there are too few samples. */
  readonly noise: number;
  readonly verdict: "better" | "worse" | "";
}

/** What became of bare scripts between two runs: as they are the same in both, it is what became of the machine. */
export interface BenchMachine {
  /** How many times as long they take, the median of them. */
  readonly factor: number;
  /** By what share of that nine of ten differ from it at most. */
  readonly spread: number;
}

/** With fewer, how they are spread says nothing. */
const FEWEST_SAMPLES = 3;

/** A change for the worse ends the bench with an error from this share of what was expected on. */
const TOLERATED = 0.05;

/**
 * The 95 % confidence interval of a median is ± 1.57 interquartile ranges by the root of the number of samples: where
 * those of two medians do not overlap, they differ at about the 95 % level. McGill, Tukey and Larsen, "Variations of Box
 * Plots", 1978.
 * A run compares more than a hundred at once, and some would then differ by chance. Four tenths more is that level for
 * all of them together, by Bonferroni.
 */
const INTERVAL_FACTOR = 1.4 * 1.57;

export function medianConfidenceHalfWidth(samples: readonly number[]): number {
  if (samples.length < FEWEST_SAMPLES) return Number.POSITIVE_INFINITY;
  return (INTERVAL_FACTOR * (quantile(samples, 0.75) - quantile(samples, 0.25))) / Math.sqrt(samples.length);
}

type Pair = readonly [before: Measurement, after: Measurement];

/** What both runs have measured, in the order of the new one. */
function pairs(before: readonly Measurement[], after: readonly Measurement[]): Pair[] {
  const earlier = new Map(before.map((measurement) => [measurement.name, measurement]));
  return after.flatMap((measurement): Pair[] => {
    const former = earlier.get(measurement.name);
    return former && former.unit === measurement.unit ? [[former, measurement]] : [];
  });
}

/** Undefined where they have no bare script in common. */
export function machineBetween(
  before: readonly Measurement[],
  after: readonly Measurement[],
): BenchMachine | undefined {
  const floors = pairs(before, after).filter(
    ([, { unit, isFloor }]) => isFloor && (unit === "ms" || unit === "captures/s"),
  );
  if (floors.length === 0) return undefined;
  const factors = floors.map(([former, measurement]) => {
    const factor = median(measurement.samples) / median(former.samples);
    return isBetterHigher(measurement) ? 1 / factor : factor;
  });
  const factor = median(factors);
  return {
    factor,
    spread: quantile(
      factors.map((each) => Math.abs(each / factor - 1)),
      0.9,
    ),
  };
}

/** What has changed, in the order of the new run, on a machine that has changed as well. */
export function compareRuns(before: readonly Measurement[], after: readonly Measurement[]): Change[] {
  const machine = machineBetween(before, after) ?? { factor: 1, spread: 0 };
  return pairs(before, after).map((pair) => change(pair, machine));
}

function change([former, measurement]: Pair, machine: BenchMachine): Change {
  const { name, unit, isFloor = false } = measurement;
  const [before, after] = [median(former.samples), median(measurement.samples)];
  const { factor, spread } = machineShare(machine, measurement);
  const expected = before * factor;
  const noise =
    medianConfidenceHalfWidth(former.samples) + medianConfidenceHalfWidth(measurement.samples) + expected * spread;
  const isMore = after > expected;
  const isBeyond = !isFloor && Math.abs(after - expected) > noise;
  const verdict = !isBeyond ? "" : isMore === isBetterHigher(measurement) ? "better" : "worse";
  return { name, unit, isFloor, before, after, expected, noise, verdict };
}

/** How much of what became of the machine is in a measurement. */
function machineShare({ factor, spread }: BenchMachine, { unit }: Measurement): BenchMachine {
  switch (unit) {
    case "ms":
      return { factor, spread };
    case "captures/s":
      return { factor: 1 / factor, spread };
    default:
      return { factor: 1, spread: 0 };
  }
}

/** One sentence for each change for the worse that is beyond the noise and 5 %. */
export function regressions(all: readonly Change[]): string[] {
  return all
    .filter(({ verdict, expected, after }) => verdict === "worse" && Math.abs(after - expected) > TOLERATED * expected)
    .map(
      ({ name, unit, expected, after }) => `${name}: ${figure(after)} ${unit} where ${figure(expected)} were expected.`,
    );
}

/** How the speed of the machine changed, and a table of all changes; those beyond the noise are marked. */
export function changeTable(all: readonly Change[], machine: BenchMachine | undefined): string {
  const report = machine
    ? `Bare scripts took ${machine.factor.toFixed(2)} times as long as then, nine of ten within ${(machine.spread * 100).toFixed(0)} % of that. It is expected of all times.`
    : "No bare script was measured in both runs, so a change of the machine cannot be told apart.";
  const rows = all.map(({ name, unit, isFloor, before, after, expected, noise, verdict }) => [
    name,
    unit,
    figure(before),
    figure(expected),
    figure(after),
    percent((after - expected) / expected),
    Number.isFinite(noise) ? `± ${figure(noise)}` : "unknown",
    isFloor ? "machine" : verdict,
  ]);
  return `${report}\n\n${figureTable([["measurement", "unit", "saved", "expected", "now", "change", "noise", ""], ...rows])}`;
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
