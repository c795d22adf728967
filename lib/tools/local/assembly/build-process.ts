// A process that builds a part of the service from the checkout: a layer, the website, or the cloud assembly.
import { spawn } from "node:child_process";
import { constants, setPriority, userInfo } from "node:os";
import { text } from "node:stream/consumers";
import { LocalServiceError } from "../local-service-error.ts";

export interface BuildProcess {
  /** What it builds, for messages. */
  readonly title: string;
  /** Path of the checkout, its working directory. */
  readonly project: string;
  /** Path of the module. */
  readonly script: string;
  readonly args?: readonly string[];
  /** True to leave the processor to all others that need it. */
  readonly isBackground?: boolean;
  /** In addition to the variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Resolves when the process has succeeded. Throws `LocalServiceError` with what it printed when it fails. */
export async function runBuild(build: BuildProcess): Promise<void> {
  const { title, project, script, args = [], isBackground = false, environment } = build;
  const child = spawn(process.execPath, [script, ...args], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const kill = () => child.kill();
  process.once("exit", kill);
  const [printed, failure] = await Promise.all([text(child.stderr), outcome(child)]);
  process.removeListener("exit", kill);
  const forbidden = failure && /EACCES: permission denied, \w+ '([^']+)'/.exec(printed)?.[1];
  if (forbidden) throw new LocalServiceError(describeForbidden(project, forbidden));
  if (failure) throw new LocalServiceError(`${title} cannot be built (${failure}).\n${printed.trim()}`);
}

/** What is built for Lambda is kept in the checkout, so a checkout of another user has to be complete, or writable. */
function describeForbidden(project: string, path: string): string {
  const user = userInfo().username;
  return (
    `The user '${user}' has no permission for ${path}. The service builds Chromium, fonts, and filter lists in its checkout. ` +
    `Start it with 'npm start' once as the owner of the checkout, or give the checkout to the user: chown -R ${user} ${project}`
  );
}

function outcome(child: ReturnType<typeof spawn>): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? undefined : signal ? signal : `exit code ${code}`));
  });
}
