// Which rights of roles the tests of the running service have not used, against the list of those that are known for it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const FILE = "test/end-to-end/unused-rights.txt";

/** The projects whose tests are end-to-end, each with a service of its own. Every right must be used in one of them. */
const PROJECTS = ["service", "captures"];

/** Of the projects that have ended. Each project loads this module itself, so that it can't be in a variable of the module. */
const UNUSED = Symbol.for("unused rights by project");
const state = globalThis as typeof globalThis & { [UNUSED]?: Map<string, readonly string[]> };

/** The rights that no project has used, when the last one ends; undefined before. */
function unusedInAll(name: string, unused: readonly string[]): string[] | undefined {
  state[UNUSED] ??= new Map();
  const byProject = state[UNUSED].set(name, unused);
  if (byProject.size < PROJECTS.length) return undefined;
  return unused.filter((right) => [...byProject.values()].every((rights) => rights.includes(right)));
}

/** Marks a right in the list that only some runs use. */
const BY_CHANCE = "? ";

/**
 * Prints the unused rights after a run of all tests of all these projects, and where they are not those of the list: a right that no test uses
 * may be one that no function needs, and one that is used must not stay in the list. With `STRICT_RIGHTS=true`, a difference is an
 * error; without, only their numbers are printed, and a difference is no error, because which rights a retry or a race uses differs
 * between machines.
 */
export async function checkUnusedRights(project: TestProject, unusedHere: readonly string[]): Promise<void> {
  if (!PROJECTS.includes(project.name) || !(await hasRunAll(project))) return;
  const unused = unusedInAll(project.name, unusedHere);
  if (!unused) return;
  const isStrict = process.env["STRICT_RIGHTS"] === "true";
  console.log(
    isStrict
      ? `Rights of roles that no end-to-end test has used:\n${unused.map((right) => `  ${right}`).join("\n")}`
      : `Rights of roles that no end-to-end test has used: ${countByRole(unused)} (${FILE} lists them)`,
  );
  const problems = compareRights(unused, readFileSync(join(import.meta.dirname, "../..", FILE), "utf8"));
  if (problems.length === 0) return;
  const message = `${problems.join("\n")}\nSee ${FILE}.`;
  if (isStrict) throw new Error(message);
  console.warn(message);
}

/** Each role with its number of rights. */
function countByRole(rights: readonly string[]): string {
  const byRole = Object.groupBy(rights, (right) => right.split(" ", 1)[0] ?? "");
  return Object.entries(byRole)
    .map(([role, ofRole = []]) => `${role} ${ofRole.length}`)
    .join(", ");
}

/** Where unused rights differ from a list, which has one a line and comments with `#`. */
export function compareRights(unused: readonly string[], list: string): string[] {
  const listed = list.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const [byChance, certain] = [listed.filter(isByChance), listed.filter((line) => !isByChance(line))];
  const known = new Set([...certain, ...byChance.map((line) => line.slice(BY_CHANCE.length))]);
  return [
    ...unused
      .filter((right) => !known.has(right))
      .map((right) => `No test uses this right. Remove it, or list it: ${right}`),
    ...certain.filter((right) => !unused.includes(right)).map((right) => `A test uses this right. Unlist it: ${right}`),
  ];
}

function isByChance(line: string): boolean {
  return line.startsWith(BY_CHANCE);
}

/** Whether every test of the project has run and passed: others leave rights unused. */
async function hasRunAll(project: TestProject): Promise<boolean> {
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const { testFiles } = await project.globTestFiles();
  const isWhole = project.vitest.config.testNamePattern === undefined && modules.length === testFiles.length;
  return isWhole && modules.every((module) => module.ok());
}
