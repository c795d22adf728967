// What the command line promises about itself: its exit codes in help and guide, and the Node.js that it needs.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { exitCodeMeanings, exitCodes } from "../../clients/typescript/src/cli/exit-code.ts";
import { helpText } from "../../clients/typescript/src/cli/help.ts";

const project = join(import.meta.dirname, "../..");
const codes = Object.values(exitCodes).map(String);

test("command line: the guide and the help have every exit code", () => {
  const guide = readFileSync(join(project, "docs/guide/command-line.md"), "utf8");
  expect([...guide.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code)).toEqual(codes);
  const [, help = ""] = helpText().split("Exit codes:");
  expect([...help.matchAll(/^ +(\d+) {2}/gm)].map(([, code]) => code)).toEqual(codes);
  expect(Object.keys(exitCodeMeanings)).toEqual(codes);
});

test("command line: a Node.js that is too old is named with the one that it needs, and nothing else is loaded", async () => {
  const { engines } = JSON.parse(readFileSync(join(project, "clients/typescript/package.json"), "utf8"));
  const main = join(project, "clients/typescript/src/cli/main.ts");
  const runAs = (version: string) => {
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
    const args = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, main, "--version"];
    return promisify(execFile)(process.execPath, args).catch((error) => error);
  };
  const needed = engines.node.replace(">=", "");
  for (const old of ["18.20.4", "20.9.0"]) {
    const { code, stdout, stderr } = await runAs(old);
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringContaining(`needs Node.js ${needed} or later, and this is ${old}.`),
    ]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
  expect((await runAs("24.0.0")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
