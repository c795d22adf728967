// Mutations: their patches apply to the sources as they are now, and what becomes of them is told from the tests' report.
import { existsSync, readFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { applyMutation, selectMutations } from "../../../../lib/tools/measure/mutations/mutation.ts";
import { mutations } from "../../../../lib/tools/measure/mutations/mutations.ts";
import { parseReport } from "../../../../lib/tools/measure/mutations/run-tests.ts";

const project = resolve(import.meta.dirname, "../../../..");

describe("the mutation", () => {
  test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    "%s applies to its file, which can still be parsed then, and its tests exist",
    async (_, mutation) => {
      const text = readFileSync(join(project, mutation.file), "utf8");
      const patched = applyMutation(text, mutation);
      expect(patched, `the text before is not in ${mutation.file} exactly once`).toBeDefined();
      expect(patched).not.toBe(text);
      if (extname(mutation.file) === ".ts") await transform(patched ?? "", { loader: "ts" });
      expect(mutation.tests.filter((path) => !existsSync(join(project, path)))).toEqual([]);
      expect(mutation.tests).not.toEqual([]);
    },
  );
});

test("mutations have names of their own, by which they are selected", () => {
  const names = mutations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(selectMutations(mutations, [])).toEqual(mutations);
  expect(selectMutations(mutations, ["quota", "cache"]).map(({ name }) => name)).toEqual(["cache", "quota"]);
  expect(() => selectMutations(mutations, ["quotas"])).toThrow("No mutation is named 'quotas'. There are: cache,");
});

test("a patch applies where its text is exactly once, and as it is written", () => {
  expect(applyMutation("a b c", { before: "b", after: "$& $1" })).toBe("a $& $1 c");
  expect(applyMutation("a b c", { before: "d", after: "e" })).toBeUndefined();
  expect(applyMutation("a b b", { before: "b", after: "e" })).toBeUndefined();
});

describe("the report of a run", () => {
  const file = (assertionResults: object[], parts: object = {}) => ({
    name: "/copy/test/a.test.ts",
    status: "passed",
    message: "",
    assertionResults,
    ...parts,
  });
  const passed = { status: "passed", ancestorTitles: [], title: "one" };
  const failed = {
    status: "failed",
    ancestorTitles: ["a group"],
    title: "two",
    failureMessages: ["Error: not equal\n  at a"],
  };

  test.each([
    ["tests that passed", file([passed, passed]), { passed: 2, failed: [] }],
    [
      "a test that failed",
      file([passed, failed], { status: "failed" }),
      { passed: 1, failed: [{ file: "test/a.test.ts", name: "a group > two", error: "Error: not equal" }] },
    ],
    [
      "a file that cannot be loaded",
      file([], { status: "failed", message: "No such module\n  at a" }),
      { passed: 0, failed: [{ file: "test/a.test.ts", name: undefined, error: "No such module" }] },
    ],
  ])("names %s", (_, result, expected) => {
    expect(parseReport(JSON.stringify({ testResults: [result] }), "/copy")).toEqual(expected);
  });
});
