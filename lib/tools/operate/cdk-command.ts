// The commands of the CDK CLI with which the app is synthesized and deployed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { LocalServiceError } from "../local/local-service-error.ts";

/** Where the CLI writes the app, and deploys it from: `output` of cdk.json. */
const ASSEMBLY = "cdk.out";

/** Options that decide what is synthesized: context, and the credentials whose account and region stacks get. */
const OF_SYNTHESIS = ["-c", "--context", "--profile"];

/** The arguments of `cdk synth`, and those of `cdk deploy` for what that has written, of the arguments of an operator. */
export function cdkArguments(given: readonly string[]): {
  readonly synth: readonly string[];
  readonly deploy: readonly string[];
} {
  const ofSynthesis = given.flatMap((argument, index) => {
    const [name = ""] = argument.split("=");
    if (!OF_SYNTHESIS.includes(argument)) return OF_SYNTHESIS.includes(name) ? [argument] : [];
    return given.slice(index, index + 2);
  });
  return {
    synth: ["synth", "--quiet", "--no-notices", ...ofSynthesis],
    deploy: ["deploy", "--app", ASSEMBLY, "--all", "--no-notices", ...given],
  };
}

/** Synthesizes the app. `print` gets what the CLI prints. Throws `LocalServiceError` when it fails. */
export async function runCdkSynth(
  project: string,
  synth: readonly string[],
  print: (text: string) => void,
): Promise<void> {
  const cli = join(project, "node_modules/.bin/cdk");
  const child = spawn(cli, synth, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  for (const output of [child.stdout, child.stderr]) output.setEncoding("utf8").on("data", print);
  const [code] = await once(child, "close");
  if (code !== 0) throw new LocalServiceError("The app can't be synthesized.");
}
