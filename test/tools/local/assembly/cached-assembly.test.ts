// The cache of assemblies, with an app that counts its runs.
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { synthesizeWithCache } from "../../../../lib/tools/local/assembly/cached-assembly.ts";
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
  const output = await synthesizeWithCache({ project, output: join(project, `out-${++outputs}`), context });
  expect(await readFile(join(output, "asset.1", "parts", "code.mjs"), "utf8")).toBe("export {};");
  return { output, runs: JSON.parse(await readFile(join(output, "template.json"), "utf8")).runs };
}

test("cached assembly: is synthesized once while the sources are unchanged", async () => {
  expect(await assembly()).toMatchObject({ runs: 1 });
  expect(await assembly()).toMatchObject({ runs: 1 });
});

test.each(["lib/deep/new.ts", "clients/python/src/client.py"])(
  "cached assembly: is synthesized again when %s or the context has changed",
  async (source) => {
    await assembly();
    await mkdir(join(project, dirname(source)), { recursive: true });
    await writeFile(join(project, source), "");
    expect(await assembly()).toMatchObject({ runs: 2 });
    expect(await assembly({ stage: "other" })).toMatchObject({ runs: 3 });
  },
);

test.each(["layers/one/dist/built", "clients/python/src/__pycache__/client.pyc"])(
  "cached assembly: ignores the build output %s",
  async (output) => {
    await assembly();
    await mkdir(join(project, dirname(output)), { recursive: true });
    await writeFile(join(project, output), "");
    expect(await assembly()).toMatchObject({ runs: 1 });
  },
);

test("cached assembly: is not affected by writes to a copy", async () => {
  const { output } = await assembly();
  await writeFile(join(output, "template.json"), '{ "runs": "none" }');
  expect(await assembly()).toMatchObject({ runs: 1 });
});

test("cached assembly: is shared by concurrent starts", async () => {
  const all = await Promise.all([assembly(), assembly(), assembly()]);
  expect(new Set(all.map(({ output }) => output)).size).toBe(3);
  expect(await assembly()).toMatchObject({ runs: all[0]?.runs });
});

test("cached assembly: two assemblies are kept at most", async () => {
  for (const stage of ["a", "b", "c", "d"]) await assembly({ stage });
  expect(readdirSync(join(project, ".local", "assemblies"))).toHaveLength(2);
  expect(await assembly({ stage: "d" })).toMatchObject({ runs: 4 });
});
