// The Java client as customers get it: the sources that the website serves. The programs of its guide run as they stand.
import { execFile } from "node:child_process";
import { copyFileSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { JAVA_SOURCES_PATH } from "../../../../lib/site/client-packages/client-paths.ts";
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";
import { guideSamples, testGuide } from "./test-guide.ts";

const tests = join(import.meta.dirname, "../../../../clients/java/tests");
const missing = canRun("javac", ["-version"]) ? undefined : "javac";
const run = promisify(execFile);

/** Compiles the sources of the client with those of the folder, and resolves to the command that runs a class. */
async function compile(folder: string): Promise<readonly string[]> {
  const archive = await fetch(`${inject("service").baseUrl}${JAVA_SOURCES_PATH}`);
  writeFileSync(join(folder, "client.tgz"), await archive.bytes());
  await run("tar", ["xzf", "client.tgz"], { cwd: folder });
  const sources = globSync(["*.java", "screen-capture-client/src/**/*.java"], { cwd: folder });
  const strict = ["-Xlint:all", "-Werror", "-encoding", "UTF-8"];
  await run("javac", [...strict, "-d", "classes", ...sources], { cwd: folder });
  return ["java", "-cp", join(folder, "classes")];
}

testClient({
  language: "Java",
  missing,
  async install(folder) {
    copyFileSync(join(tests, "BehaviourDriver.java"), join(folder, "BehaviourDriver.java"));
    return [...(await compile(folder)), "BehaviourDriver"];
  },
});

testGuide({
  language: "Java",
  missing,
  samples: guideSamples("java"),
  compile: async (folder, samples) => {
    const names = samples.map((code) => /\bclass (\w+)/.exec(code)?.[1] ?? "");
    for (const [index, code] of samples.entries()) writeFileSync(join(folder, `${names[index]}.java`), code);
    const java = await compile(folder);
    return names.map((name) => [...java, name]);
  },
});
