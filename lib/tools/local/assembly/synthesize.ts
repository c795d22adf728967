// Synthesizes the CDK app in a child process, as the CDK CLI does, but without the CLI.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalServiceError } from "../local-service-error.ts";
import { runBuild } from "./build-process.ts";

export interface SynthesizeOptions {
  /** Folder of the project, with `cdk.json`. */
  readonly project: string;

  /** Folder of the assembly. Assets that are there from an earlier synthesis are not built again. */
  readonly output: string;

  /** True to leave the processor to all others that need it. */
  readonly isBackground?: boolean;

  /** Overrides the context of `cdk.json`, like `cdk synth -c name=value`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Resolves to the folder of the assembly. Throws `LocalServiceError` with the output of the app when it fails. */
export async function synthesize({
  project,
  output,
  isBackground = false,
  context = {},
}: SynthesizeOptions): Promise<string> {
  const cdkJson = JSON.parse(await readFile(join(project, "cdk.json"), "utf8"));
  await runBuild({
    title: "The CDK app",
    project,
    script: join(project, readEntry(cdkJson.app)),
    isBackground,
    environment: {
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...cliContext, ...context }),
      CDK_VALIDATION: "false", // CloudFormation's rules take seconds, and this assembly is never deployed
    },
  });
  return output;
}

/** Context that the CLI adds, for the paths of assets and constructs in the template. */
const cliContext = {
  "aws:cdk:enable-asset-metadata": true,
  "aws:cdk:enable-path-metadata": true,
};

function readEntry(app: string): string {
  const entry = /^node (\S+)$/.exec(app)?.[1];
  if (!entry) throw new LocalServiceError(`"app" in cdk.json must be "node <file>" for the local runner.`);
  return entry;
}
