// The first minutes of a newcomer: a fresh clone, `npm ci`, `npm start`, the printed example, and the next start.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { figureTable, inMegabytes } from "./figures.ts";
import type { BenchGroup } from "./workbench.ts";

const NAME = "first start";

export const firstStart: BenchGroup = {
  name: NAME,
  parts: [NAME],
  async measure(_wanted, bench) {
    const clone = join(bench.folder(), "clone");
    execFileSync("git", ["clone", "--quiet", bench.project, clone]);
    const install = await timed(async () => run(clone, "npm", "ci", "--no-audit", "--no-fund"));
    bench.done("npm ci");
    const installed = folderSize(join(clone, "node_modules"));
    const first = await start(clone);
    bench.done("first start");
    const capture = await timed(async () => run(clone, "bash", "-ec", first.example));
    const rest = await timed(first.untilAllIsBuilt);
    await first.stop();
    const next = await start(clone);
    await next.stop();
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const rows = [
      ["", "time"],
      ["npm ci", seconds(install.ms)],
      ["npm start, first", seconds(first.ms)],
      ["first capture", seconds(capture.ms)],
      ["website and all functions, after that", seconds(rest.ms)],
      ["npm start, next", seconds(next.ms)],
    ];
    const size = `${inMegabytes(installed.bytes).toFixed(0)} MB in ${installed.files} files`;
    return {
      text: `A fresh clone. Its packages take ${size}. Stages of the first start:\n${first.stages}\n\n${figureTable(rows)}`,
      measurements: [
        { name: `${NAME}: npm ci`, unit: "ms", samples: [install.ms] },
        { name: `${NAME}: packages`, unit: "MB", samples: [inMegabytes(installed.bytes)] },
        { name: `${NAME}: until ready`, unit: "ms", samples: [first.ms] },
        { name: `${NAME}: first capture`, unit: "ms", samples: [capture.ms] },
        { name: `${NAME}: rest`, unit: "ms", samples: [rest.ms] },
        { name: `${NAME}: next start until ready`, unit: "ms", samples: [next.ms] },
      ],
      failures: [],
    };
  },
};

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

function run(cwd: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
}

interface Started {
  /** Until the service had printed how to call it. */
  readonly ms: number;
  /** The lines of the stages. */
  readonly stages: string;
  /** The printed commands that capture a first page. */
  readonly example: string;
  /** Resolves when the website and the functions that no capture needs are built, too. */
  untilAllIsBuilt(): Promise<void>;
  stop(): Promise<void>;
}

/** Throws with what was printed when the service does not start. */
async function start(cwd: string): Promise<Started> {
  const child = spawn("npm", ["start"], { cwd, env: { ...process.env, PORT: "0" } });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  /** Throws when the service ends before it prints this. */
  const until = async (text: string) => {
    const ended = once(child, "close").then(() => Promise.reject(new Error(`npm start ended:\n${printed}`)));
    while (!printed.includes(text)) await Promise.race([once(child.stdout, "data"), ended]);
    ended.catch(() => undefined); // it ends later
  };
  const { ms } = await timed(() => until("Press Ctrl-C"));
  return {
    ms,
    stages: printed.match(/^ .* s$/gm)?.join("\n") ?? "",
    example: /^export [\s\S]*^curl .*$/m.exec(printed)?.[0] ?? "",
    untilAllIsBuilt: () => until("All is built"),
    async stop() {
      child.kill("SIGINT");
      await once(child, "close");
    },
  };
}

function folderSize(folder: string): { readonly bytes: number; readonly files: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return { bytes, files: files.length };
}
