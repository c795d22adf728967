// A Debian server of a test: a fresh root by mmdebstrap, booted with systemd as a container that shares the network of this machine.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { canRun } from "./runtimes.ts";

const MIRROR = "http://deb.debian.org/debian";
const RELEASE = "bookworm";
const HOST_NAME = "server";
/** A person with `sudo`, as who the commands of a guide are run. */
const OPERATOR = "admin";

const execute = promisify(execFile);

/** What a server needs and this machine lacks; undefined when it has all. */
export function missingForServer(): string | undefined {
  if (process.getuid?.() !== 0) return "root";
  const programs = ["mmdebstrap", "systemd-nspawn", "nsenter"].filter((name) => !canRun(name, ["--version"]));
  if (programs.length > 0) return programs.join(", ");
  const release = `${MIRROR}/dists/${RELEASE}/InRelease`;
  return canRun("curl", ["--silent", "--fail", "--head", "--max-time", "20", release]) ? undefined : "Debian mirror";
}

export interface DebianServer {
  /** Root folder, by its path on this machine. */
  readonly root: string;
  /** Home of the operator, by its path on the server. */
  readonly home: string;
  /** Runs a command as the operator; resolves to what it prints. Rejects with its errors when it fails. */
  run(command: string, options?: RunOptions): Promise<string>;
  /** Ends all processes of the server. The files stay. */
  close(): Promise<void>;
}

export interface RunOptions {
  /** Folder to run in. By default, the operator's home. */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ServerOptions {
  /** Names of Debian's packages, next to systemd and sudo. */
  readonly packages: readonly string[];
  /** Host names that lead to the server. */
  readonly hostNames: readonly string[];
  /** Units that don't start with the server. */
  readonly disabledUnits: readonly string[];
}

/** Makes the root in a folder that doesn't exist, and boots it. */
export async function startDebianServer(
  root: string,
  { packages, hostNames, disabledUnits }: ServerOptions,
): Promise<DebianServer> {
  const all = ["systemd", "systemd-sysv", "dbus", "sudo", ...packages].join(",");
  await execute("mmdebstrap", ["--variant=minbase", `--include=${all}`, RELEASE, root, MIRROR]);
  await execute("chroot", [root, "useradd", "--create-home", "--shell=/bin/bash", OPERATOR]);
  writeFileSync(join(root, "etc/sudoers.d", OPERATOR), `${OPERATOR} ALL=(ALL) NOPASSWD: ALL\n`, { mode: 0o440 });
  writeFileSync(join(root, "etc/hosts"), `127.0.0.1 localhost ${[HOST_NAME, ...hostNames].join(" ")}\n`);
  writeFileSync(join(root, "etc/hostname"), `${HOST_NAME}\n`);
  for (const unit of disabledUnits) await execute("chroot", [root, "systemctl", "disable", "--quiet", unit]);

  // Without systemd on this machine, there is neither a machined to register with, nor a unit to create.
  const flags = ["--boot", "--quiet", "--register=no", "--keep-unit", "--link-journal=no", "--console=pipe"];
  const nspawn = spawn("systemd-nspawn", [`--directory=${root}`, `--machine=${HOST_NAME}`, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const home = `/home/${OPERATOR}`;
  const run = async (command: string, { cwd = home, environment = {} }: RunOptions = {}) => {
    const variables = Object.entries({
      HOME: home,
      PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      ...environment,
    });
    const inside = ["runuser", "--user", OPERATOR, "--", "env", `--chdir=${cwd}`, "bash", "-c", command];
    const pairs = variables.map(([name, value]) => `${name}=${value}`);
    const enter = [
      `--target=${firstProcess(nspawn)}`,
      "--all",
      "--",
      "env",
      "--ignore-environment",
      ...pairs,
      ...inside,
    ];
    return (await execute("nsenter", enter, { maxBuffer: 2 ** 26 })).stdout;
  };
  await waitForBoot(nspawn, run);
  return {
    root,
    home,
    run,
    async close() {
      const ended = once(nspawn, "close");
      process.kill(firstProcess(nspawn), "SIGKILL"); // the kernel ends all others of its process namespace
      await ended;
    },
  };
}

/** The systemd of the server, by its process id on this machine. */
function firstProcess({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(children.split(" ")[0]);
}

const BOOT_MS = 60_000;

async function waitForBoot(nspawn: ChildProcess, run: DebianServer["run"]): Promise<void> {
  let errors = "";
  nspawn.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const end = Date.now() + BOOT_MS;
  while (Date.now() < end && nspawn.exitCode === null) {
    const state = await run("systemctl is-system-running || true").catch(() => "");
    if (/running|degraded/.test(state)) return;
    await sleep(300);
  }
  if (nspawn.pid !== undefined && existsSync(`/proc/${nspawn.pid}`)) nspawn.kill("SIGKILL");
  throw new Error(`The server did not boot:\n${errors}`);
}
