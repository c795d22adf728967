// The report of a part of the bench: text, and samples for comparison with later runs.

export interface Measurement {
  /** Unlike that of any other, and the same in the next run. */
  readonly name: string;
  readonly unit: "ms" | "MB" | "ratio" | "captures/s";
  /** In the order of measuring. */
  readonly samples: readonly number[];
  /** Of a bare script, which nothing of the product changes: between two runs it differs as the machine does. */
  readonly isFloor?: boolean;
}

/** More of it is better, unlike of all other units. */
export const isBetterHigher = ({ unit }: Pick<Measurement, "unit">) => unit === "captures/s";

export interface Report {
  readonly text: string;
  readonly measurements: readonly Measurement[];
  /** What does not hold that has to, one sentence each. */
  readonly failures: readonly string[];
}

/** One report of several, in their order. */
export function joinReports(reports: readonly Report[]): Report {
  return {
    text: reports.map(({ text }) => text).join("\n\n"),
    measurements: reports.flatMap(({ measurements }) => measurements),
    failures: reports.flatMap(({ failures }) => failures),
  };
}
