// The log files of the local service: rotated by size, kept over restarts, bounded together.
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLogFiles } from "../../../lib/tools/local/log-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const limits = { fileBytes: 1_000, totalBytes: 10_000 };
/** All lines of a source without their times, oldest first. */
const linesOf = (source: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(`${source}.`))
    .toSorted(
      (one, other) => Number(one === `${source}.log`) - Number(other === `${source}.log`) || one.localeCompare(other),
    )
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => line.replace(/^[\d-]+T[\d:.]+Z /, ""));

test("log files: lines stay over restarts, each source in its file", () => {
  for (const line of ["first", "second"]) {
    const logs = openLogFiles(folder);
    logs.write("api", line);
    logs.write("json", JSON.stringify({ line }));
    logs.write("iam", `${line} denial`);
    logs.close();
  }
  expect(readdirSync(folder).sort()).toEqual(["api.log", "iam.log", "json.log"]);
  expect(readFileSync(join(folder, "json.log"), "utf8")).toBe('{"line":"first"}\n{"line":"second"}\n');
  expect(readFileSync(join(folder, "api.log"), "utf8")).toMatch(/^20[\d-]+T[\d:.]+Z first\n/);
  expect(linesOf("api")).toEqual(["first", "second"]);
  expect(linesOf("iam")).toEqual(["first denial", "second denial"]);
});

test("log files: a full file is rotated, and no line is lost or cut", () => {
  const logs = openLogFiles(folder, limits);
  const lines = Array.from({ length: 60 }, (_, index) => `${String(index).padStart(3, "0")} ${"ü".repeat(45)}`);
  for (const line of lines) logs.write("api", line);
  logs.close();
  expect(linesOf("api")).toEqual(lines);
  expect(readdirSync(folder).length).toBeGreaterThan(3);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(2_000);
});

test("log files: the oldest rotated files are deleted, also those of sources that no longer run, but none that is written", () => {
  const logs = openLogFiles(folder, limits);
  logs.write("quiet", "rare");
  for (const name of ["gone.log", "gone.1.log"]) {
    writeFileSync(join(folder, name), "x".repeat(2_000));
    utimesSync(join(folder, name), 1, 1);
  }
  writeFileSync(join(folder, "foreign.txt"), "x".repeat(20_000));
  for (let index = 0; index < 1_000; index++) logs.write("api", `${String(index).padStart(4, "0")} ${"x".repeat(95)}`);
  logs.close();
  const files = readdirSync(folder);
  expect(files).toEqual(expect.arrayContaining(["api.log", "quiet.log", "foreign.txt"]));
  expect(files.filter((name) => name.startsWith("gone"))).toEqual([]);
  const total = files
    .filter((name) => name !== "foreign.txt")
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(total).toBeLessThanOrEqual(limits.totalBytes);
  expect(linesOf("api").at(-1)).toMatch(/^0999 /);
});

test("log files: a line that a killed run has left unfinished ends before the next one", () => {
  appendFileSync(join(folder, "api.log"), '{"cut');
  const logs = openLogFiles(folder);
  logs.write("api", "whole");
  logs.close();
  expect(linesOf("api")).toEqual(['{"cut', "whole"]);
});

test("log files: a folder that cannot be written stops nothing", () => {
  const logs = openLogFiles(join(folder, "missing"), limits);
  logs.write("api", "lost");
  logs.close();
  expect(readdirSync(folder)).toEqual([]);
});
