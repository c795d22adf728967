// The assembly that a start finds ready, here made by an app that counts how often it has run.
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { keptAssembly } from "../../../lib/local/assembly/cached-assembly.ts";
import { temporaryFolder } from "../support.ts";

let project: string;
beforeEach(async () => {
  project = await temporaryFolder();
  await mkdir(join(project, "bin"));
  await writeFile(join(project, "cdk.json"), JSON.stringify({ app: "node bin/app.mjs" }));
  await writeFile(
    join(project, "bin", "app.mjs"),
    `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
    const out = process.env.CDK_OUTDIR;
    appendFileSync("runs", ".");
    mkdirSync(out + "/asset.1/parts", { recursive: true });
    writeFileSync(out + "/asset.1/parts/code.mjs", "export {};");
    writeFileSync(out + "/template.json", JSON.stringify({ runs: readFileSync("runs", "utf8").length }));`,
  );
});

let outputs = 0;
async function assembly(context: Readonly<Record<string, string>> = {}) {
  const output = await keptAssembly({ project, output: join(project, `out-${++outputs}`), context });
  expect(await readFile(join(output, "asset.1", "parts", "code.mjs"), "utf8")).toBe("export {};");
  return { output, runs: JSON.parse(await readFile(join(output, "template.json"), "utf8")).runs };
}

test("is made once while the sources are the same", async () => {
  expect(await assembly()).toMatchObject({ runs: 1 });
  expect(await assembly()).toMatchObject({ runs: 1 });
});

test("is made anew when a source has changed, or the context", async () => {
  await assembly();
  await mkdir(join(project, "lib", "deep"), { recursive: true });
  await writeFile(join(project, "lib", "deep", "new.ts"), "export {};");
  expect(await assembly()).toMatchObject({ runs: 2 });
  expect(await assembly({ stage: "other" })).toMatchObject({ runs: 3 });
});

test("is not made anew for what is built", async () => {
  await assembly();
  await mkdir(join(project, "layers", "one", "dist"), { recursive: true });
  await writeFile(join(project, "layers", "one", "dist", "built"), "");
  expect(await assembly()).toMatchObject({ runs: 1 });
});

test("is what it was, whatever somebody writes into theirs", async () => {
  const { output } = await assembly();
  await writeFile(join(output, "template.json"), '{ "runs": "none" }');
  expect(await assembly()).toMatchObject({ runs: 1 });
});

test("is made by one of several that come at once, and had by all", async () => {
  const all = await Promise.all([assembly(), assembly(), assembly()]);
  expect(new Set(all.map(({ output }) => output)).size).toBe(3);
  expect(await assembly()).toMatchObject({ runs: all[0]?.runs });
});

test("does not fill the disk: two are kept", async () => {
  for (const stage of ["a", "b", "c", "d"]) await assembly({ stage });
  expect(readdirSync(join(project, ".local", "assemblies"))).toHaveLength(2);
  expect(await assembly({ stage: "d" })).toMatchObject({ runs: 4 });
});
