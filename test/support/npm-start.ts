// Starts `npm start` as a process, reads its output and stops it by a signal.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

export const project = resolve(import.meta.dirname, "../..");

export interface Started {
  readonly baseUrl: string;
  readonly key: string;
  /** Everything printed so far. */
  output(): string;
  /** Sends a signal to npm, as Ctrl-C does, and resolves to the exit code once all output has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Kills the service itself, which can do nothing about it, and resolves once npm has ended. */
  kill(): Promise<void>;
}

/** Starts the service and resolves when it says how to call it. Rejects with its output when it ends before. */
export async function npmStart(environment: Readonly<Record<string, string>>, ...flags: string[]): Promise<Started> {
  const { child, output } = run(environment, flags);
  const ready = new Promise<void>((resolved, rejected) => {
    child.stdout?.on("data", () => output().includes("Press Ctrl-C to stop") && resolved());
    child.once("close", () => rejected(new Error(`npm start ended:\n${output()}`)));
  });
  await ready;
  return {
    baseUrl: /^export SCREEN_CAPTURE_URL=(\S+)$/m.exec(output())?.[1] ?? "",
    key: /^export SCREEN_CAPTURE_KEY=(\S+)$/m.exec(output())?.[1] ?? "",
    output,
    async end(signal) {
      child.kill(signal);
      const [code] = await once(child, "close");
      return code;
    },
    async kill() {
      const ended = once(child, "exit");
      const [pid] = execFileSync("ps", ["-o", "pid=", "--ppid", String(child.pid)], { encoding: "utf8" })
        .trim()
        .split("\n");
      process.kill(Number(pid), "SIGKILL");
      await ended;
    },
  };
}

/** Runs a start that is expected to fail; resolves to its exit code and what it printed as errors. */
export async function failingStart(environment: Readonly<Record<string, string>>) {
  const { child, errors } = run(environment);
  const [code] = await once(child, "close");
  return {
    code,
    errors: errors()
      .replaceAll(/^npm .*\n?/gm, "")
      .trim(),
  };
}

function run(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): {
  child: ChildProcess;
  output(): string;
  errors(): string;
} {
  const child = spawn("npm", ["start", "--", ...flags], {
    cwd: project,
    // Captures of the service itself would be among those that tests count.
    env: { ...process.env, PORT: "0", STATUS_CHECKS: "off", ...environment },
  });
  let [printed, complained] = ["", ""];
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  child.stderr.on("data", (chunk) => {
    complained += chunk;
  });
  return { child, output: () => printed + complained, errors: () => complained };
}
