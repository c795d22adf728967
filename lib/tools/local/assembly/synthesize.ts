// Synthesizes the CDK app in a child process, as the CDK CLI does, but without the CLI.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LocalServiceError } from "../local-service-error.ts";

export interface SynthesizeOptions {
  /** Folder of the project, with `cdk.json`. */
  readonly project: string;

  /** Folder of the assembly. Assets that are there from an earlier synthesis are not built again. */
  readonly output: string;

  /** Overrides the context of `cdk.json`, like `cdk synth -c name=value`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Resolves to the folder of the assembly. Throws `LocalServiceError` with the output of the app when it fails. */
export async function synthesize({ project, output, context = {} }: SynthesizeOptions): Promise<string> {
  const cdkJson = JSON.parse(await readFile(join(project, "cdk.json"), "utf8"));
  const app = spawn(process.execPath, [join(project, readEntry(cdkJson.app))], {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...cliContext, ...context }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [printed, failure] = await Promise.all([text(app.stderr), outcome(app)]);
  const forbidden = failure && /EACCES: permission denied, \w+ '([^']+)'/.exec(printed)?.[1];
  if (forbidden) throw new LocalServiceError(describeForbidden(project, forbidden));
  if (failure) throw new LocalServiceError(`The CDK app cannot be synthesized (${failure}).\n${printed.trim()}`);
  return output;
}

/** What is built for Lambda is kept in the checkout, so a checkout of another user has to be complete, or writable. */
function describeForbidden(project: string, path: string): string {
  const user = userInfo().username;
  return (
    `The user '${user}' has no permission for ${path}. The service builds Chromium, fonts, and filter lists in its checkout. ` +
    `Start it with 'npm start' once as the owner of the checkout, or give the checkout to the user: chown -R ${user} ${project}`
  );
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

function outcome(app: ReturnType<typeof spawn>): Promise<string | undefined> {
  return new Promise((resolve) => {
    app.once("error", (error) => resolve(error.message));
    app.once("close", (code, signal) => resolve(code === 0 ? undefined : signal ? signal : `exit code ${code}`));
  });
}
