// Runs the checks of the doctor one after another, and prints them as a table.
import { withStatusLine } from "../../../../clients/typescript/src/cli/status-line.ts";
import type { DoctorCheck, DoctorFinding } from "./finding.ts";

const marks = { ok: "ok    ", warning: "WARN  ", failed: "FAILED" } as const;

/**
 * Prints a line for each check, with what to do below it, until a required one fails. Resolves to the number of failed
 * checks.
 */
export async function runDoctor(
  checks: AsyncIterable<DoctorCheck> | Iterable<DoctorCheck>,
  print: (line: string) => void,
): Promise<number> {
  let failures = 0;
  let count = 0;
  for await (const { name, run, isRequired = false } of checks) {
    const { status, detail, fix } = await withStatusLine(name, () => Promise.try(run).catch(toFinding));
    count++;
    print(`${marks[status]} ${name}: ${detail}`);
    if (fix !== undefined) print(`       ${fix}`);
    if (status !== "failed") continue;
    failures++;
    if (!isRequired) continue;
    print("The other checks need this one.");
    break;
  }
  print(failures === 0 ? "Nothing is wrong." : `${failures} of ${count} checks failed.`);
  return failures;
}

/** Errors of AWS's clients can have many lines; the first one says what is wrong. */
function toFinding(error: unknown): DoctorFinding {
  const [message = ""] = (error instanceof Error ? error.message || error.name : String(error)).split("\n");
  return { status: "failed", detail: message };
}
