// Runs the CDK app as the CDK CLI does, without the CLI: a child process that leaves a cloud assembly in a folder.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LocalServiceError } from "../local-service-error.ts";

export interface SynthesizeOptions {
  /** Folder of the project: where `cdk.json` is. */
  readonly project: string;

  /** Folder that receives the assembly. Assets that are already there, from an earlier run, are not built again. */
  readonly output: string;

  /** Laid over the context of `cdk.json`, as `cdk synth -c name=value` does. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Resolves to the folder of the assembly. Throws `LocalServiceError` with what the app printed when it fails. */
export async function synthesize({ project, output, context = {} }: SynthesizeOptions): Promise<string> {
  const cdkJson = JSON.parse(await readFile(join(project, "cdk.json"), "utf8"));
  const app = spawn(process.execPath, [join(project, entryOf(cdkJson.app))], {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...contextOfTheCli, ...context }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [printed, failure] = await Promise.all([text(app.stderr), outcome(app)]);
  if (failure) throw new LocalServiceError(`The CDK app cannot be synthesized (${failure}).\n${printed.trim()}`);
  return output;
}

/** What the CLI adds so that a template says where its assets and constructs come from. */
const contextOfTheCli = {
  "aws:cdk:enable-asset-metadata": true,
  "aws:cdk:enable-path-metadata": true,
};

function entryOf(app: string): string {
  const entry = /^node (\S+)$/.exec(app)?.[1];
  if (!entry) throw new LocalServiceError(`"app" in cdk.json must read "node <file>" to be run on this machine.`);
  return entry;
}

function outcome(app: ReturnType<typeof spawn>): Promise<string | undefined> {
  return new Promise((resolve) => {
    app.once("error", (error) => resolve(error.message));
    app.once("close", (code, signal) => resolve(code === 0 ? undefined : signal ? signal : `exit code ${code}`));
  });
}
