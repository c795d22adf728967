// `npm run synth` and `npm run deploy`: builds the layers and the website in parallel, synthesizes the app, and deploys what it has written.
// The CDK CLI would do the first two in silence, one after the other.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withStatusLine } from "../clients/typescript/src/cli/status-line.ts";
import { artifacts } from "../lib/infra/artifacts.ts";
import { buildMissing } from "../lib/tools/local/assembly/staged-synthesis.ts";
import { cdkArguments, runCdkSynth } from "../lib/tools/operate/cdk-command.ts";

const project = resolve(import.meta.dirname, "..");
const [command, ...given] = process.argv.slice(2);
const { synth, deploy } = cdkArguments(given);

try {
  await withStatusLine("Preparing", async (line) => {
    const running = new Set<string>();
    await buildMissing(artifacts, { project }, async (title, work) => {
      line.enter(`Building: ${[...running.add(title)].join(", ")}`);
      await work();
      running.delete(title);
      line.enter(`Building: ${[...running].join(", ")}`);
    });
    line.enter("Building the functions and templates");
    await runCdkSynth(project, synth, (text) => line.interrupt(() => process.stderr.write(text)));
  });
  if (command === "deploy") {
    const cli = join(project, "node_modules/.bin/cdk");
    process.exitCode = spawnSync(cli, deploy, { cwd: project, stdio: "inherit" }).status ?? 1;
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
