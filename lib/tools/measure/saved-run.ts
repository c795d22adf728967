// A saved run of the bench: every sample, with date, commit and machine.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { dirname } from "node:path";
import * as v from "valibot";
import { inMegabytes } from "./figures.ts";
import type { Measurement } from "./measurement.ts";

const SavedRunSchema = v.object({
  date: v.string(),
  /** What was checked out, with `-dirty` where files had changed since. */
  commit: v.string(),
  machine: v.object({
    processor: v.string(),
    cores: v.number(),
    memory_megabytes: v.number(),
    kernel: v.string(),
    node: v.string(),
  }),
  measurements: v.array(
    v.object({
      name: v.string(),
      unit: v.picklist(["ms", "MB", "ratio", "captures/s"]),
      samples: v.pipe(v.array(v.number()), v.minLength(1)),
      isFloor: v.exactOptional(v.boolean()),
    }),
  ),
});

export type SavedRun = v.InferOutput<typeof SavedRunSchema>;

/** What is measured in this process's machine and tree now. */
export function savedRun(project: string, measurements: readonly Measurement[]): SavedRun {
  const [processor] = cpus();
  return {
    date: new Date().toISOString(),
    commit: execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=12"], { cwd: project }).toString().trim(),
    machine: {
      processor: processor?.model ?? "unknown",
      cores: cpus().length,
      memory_megabytes: Math.round(inMegabytes(totalmem())),
      kernel: release(),
      node: process.version,
    },
    measurements: measurements.map(({ samples, ...named }) => ({ ...named, samples: [...samples] })),
  };
}

/** Writes a run; the folder is made. */
export function writeRun(file: string, run: SavedRun): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(run, null, 1)}\n`);
}

/** Throws where there is no run in the file. */
export function readRun(file: string): SavedRun {
  return v.parse(SavedRunSchema, JSON.parse(readFileSync(file, "utf8")));
}
