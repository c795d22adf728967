// An assembly in stages, with artifacts and an app that record when they are built.
import { mkdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Artifact } from "../../../../lib/build/artifact.ts";
import { synthesizeInStages } from "../../../../lib/tools/local/assembly/staged-synthesis.ts";
import { temporaryFolder } from "../support.ts";

let project: string;
beforeEach(async () => {
  project = await temporaryFolder();
  const record = (what: string) => `import { appendFileSync, mkdirSync } from "node:fs";
    appendFileSync("built", ${what} + "\\n");`;
  await writeFile(join(project, "cdk.json"), JSON.stringify({ app: "node app.mjs" }));
  await writeFile(join(project, "app.mjs"), record('"app"'));
  await writeFile(join(project, "make.mjs"), `${record("process.argv[2]")} mkdirSync(process.argv[2]);`);
  await writeFile(join(project, "fail.mjs"), 'console.error("the disk is full"); process.exitCode = 3;');
});

const artifact = (name: string, others: Partial<Artifact> = {}): Artifact => ({
  title: name,
  script: join(project, "make.mjs"),
  folder: () => join(project, `dist-${name}`, "1"),
  ...others,
});

async function build(artifacts: readonly Artifact[]) {
  const stages: string[] = [];
  for (const { folder } of artifacts) mkdirSync(join(folder(), ".."), { recursive: true });
  await synthesizeInStages({ project, output: join(project, "out") }, artifacts, async (title, work) => {
    stages.push(title);
    await work();
  });
  const lines = readFileSync(join(project, "built"), "utf8").trim().split("\n");
  return { stages, built: lines.map((line) => line.replace(`${project}/`, "")) };
}

test("staged synthesis: builds what others need before them, and the app at the end", async () => {
  const browser = artifact("browser");
  const fonts = artifact("fonts", { needs: [browser] });

  expect(await build([fonts, browser])).toEqual({
    stages: ["browser", "fonts", "Functions"],
    built: ["dist-browser/1", "dist-fonts/1", "app"],
  });
});

test("staged synthesis: does not build again what is there", async () => {
  await build([artifact("fonts")]);
  expect((await build([artifact("fonts")])).stages).toEqual(["Functions"]);
});

test("staged synthesis: the error of an artifact that cannot be built has what it printed", async () => {
  const broken = artifact("Fonts", { script: join(project, "fail.mjs") });
  await expect(build([broken])).rejects.toThrow("Fonts cannot be built (exit code 3).\nthe disk is full");
});
