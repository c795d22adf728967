// The summary of tests that needed a second attempt: their number, their names in order, and why the first attempts failed.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RepeatedTest, summaryLines, writeSummary } from "./second-attempts.ts";

const repeated: readonly RepeatedTest[] = [
  { test: "web: b.test.ts > two", attempts: 3, errors: ["timed out\n  in a frame", "not equal"] },
  { test: "units: a.test.ts > one", attempts: 2, errors: ["not equal"] },
];

test("second attempts: the summary has their number over all projects, and their names", () => {
  expect(summaryLines([])).toEqual(["0 tests needed a second attempt"]);
  expect(summaryLines(repeated.slice(1))).toEqual(["1 test needed a second attempt", "  units: a.test.ts > one"]);
  expect(summaryLines(repeated)).toEqual([
    "2 tests needed a second attempt",
    "  units: a.test.ts > one",
    "  web: b.test.ts > two",
  ]);
});

test("second attempts: the file has the errors of the attempts that failed, too", () => {
  const folder = mkdtempSync(join(tmpdir(), "second-attempts-"));
  try {
    const path = join(folder, "new", "summary.txt");
    writeSummary(path, repeated);
    expect(readFileSync(path, "utf8")).toBe(
      "2 tests needed a second attempt\n" +
        "units: a.test.ts > one (2 attempts)\n  not equal\n" +
        "web: b.test.ts > two (3 attempts)\n  timed out\n    in a frame\n  not equal\n",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
