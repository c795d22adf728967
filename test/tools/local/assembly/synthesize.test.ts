// Synthesis of a CDK app in a child process, with the environment of the CDK CLI.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { synthesize } from "../../../../lib/tools/local/assembly/synthesize.ts";
import { temporaryFolder } from "../support.ts";

test("synthesize: passes the output folder and the context to the app", async () => {
  const project = await projectWith(`
    import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync(process.env.CDK_OUTDIR);
    writeFileSync(process.env.CDK_OUTDIR + "/seen.json", process.env.CDK_CONTEXT_JSON);`);

  const output = await synthesize({ project, output: join(project, "out"), context: { stage: "local" } });

  expect(JSON.parse(await readFile(join(output, "seen.json"), "utf8"))).toMatchObject({
    "from-cdk-json": true,
    stage: "local",
    "aws:cdk:enable-asset-metadata": true,
    "aws:cdk:enable-path-metadata": true,
  });
});

test("synthesize: the error has the output of an app that fails", async () => {
  const project = await projectWith(`console.error("the stage is unknown"); process.exitCode = 4;`);

  await expect(synthesize({ project, output: join(project, "out") })).rejects.toThrow(
    "The CDK app cannot be built (exit code 4).\nthe stage is unknown",
  );
});

async function projectWith(app: string): Promise<string> {
  const project = await temporaryFolder();
  await writeFile(join(project, "app.mjs"), app);
  await writeFile(
    join(project, "cdk.json"),
    JSON.stringify({ app: "node app.mjs", context: { "from-cdk-json": true } }),
  );
  return project;
}
