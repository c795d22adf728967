// The synthesized assembly of the local stage, made once for each state of the sources.
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const project = resolve(import.meta.dirname, "../..");

/**
 * Puts the assembly into `output`, a folder that does not exist yet. A process without credentials, and without any other
 * variable than the path, synthesizes it when the sources have changed since the last time.
 */
export async function localAssembly(output: string): Promise<string> {
  const module = (path: string) => JSON.stringify(pathToFileURL(join(project, path)));
  const script = `
    const { artifacts } = await import(${module("lib/infra/artifacts.ts")});
    const { synthesizeWithCache } = await import(${module("lib/tools/local/assembly/cached-assembly.ts")});
    const { synthesizeInStages } = await import(${module("lib/tools/local/assembly/staged-synthesis.ts")});
    const options = ${JSON.stringify({ project, output, context: { stage: "local" } })};
    await synthesizeWithCache(options, (each) => synthesizeInStages(each, artifacts, (_title, work) => work()));`;
  const env = { PATH: process.env["PATH"] };
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { cwd: project, env });
  return output;
}
