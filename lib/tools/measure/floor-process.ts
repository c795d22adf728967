// Starts the floors (bare scripts) in their own processes, and requests captures from them.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { buildChromiumLayer } from "../../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../../layers/fonts/build.ts";
import type { FloorRequest, FloorResult } from "./floor.ts";
import type { PackageStart } from "./package-floor.ts";

export interface Floor {
  readonly pid: number;
  /** One at a time. Rejects when the floor has ended. */
  take(request: FloorRequest): Promise<FloorResult>;
  /** As many as `count`, with `atOnce` under way at a time. */
  burst(request: FloorRequest, load: { readonly count: number; readonly atOnce: number }): Promise<FloorResult[]>;
  close(): void;
}

/** The floor with our Chromium and our flags. `folder` is for its temporary files only. */
export async function startFloor(folder: string): Promise<Floor> {
  const { floor } = await start(join(import.meta.dirname, "floor.ts"), {
    ...process.env,
    CHROMIUM_FILES: join(buildChromiumLayer(), "chromium"),
    FONT_FILES: join(buildFontsLayer(), "fonts"),
    TMPDIR: folder,
  });
  return floor;
}

/** The floor with the package's files and flags, in an environment as Lambda's is; and how its start went. */
export async function startPackageFloor(folder: string): Promise<{ floor: Floor; start: PackageStart }> {
  const { floor, report, startedAt } = await start(bundledPackageFloor(), {
    PATH: process.env["PATH"],
    HOME: folder,
    TMPDIR: folder,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x", // the package then brings the libraries that Lambda lacks
  });
  const { importedMs, unpackedMs, readyMs } = report as PackageStart;
  return {
    floor,
    start: { importedMs: importedMs - startedAt, unpackedMs: unpackedMs - startedAt, readyMs: readyMs - startedAt },
  };
}

/** Bundled as the functions are, so that both load one file; the package itself must not be, for it looks next to its code. */
function bundledPackageFloor(): string {
  const outfile = join(import.meta.dirname, "dist", "package-floor.mjs");
  buildSync({
    entryPoints: [join(import.meta.dirname, "package-floor.ts")],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node24",
    mainFields: ["module", "main"],
    external: ["@sparticuz/chromium"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return outfile;
}

async function start(
  module: string,
  env: NodeJS.ProcessEnv,
): Promise<{ floor: Floor; report: unknown; startedAt: number }> {
  const startedAt = Date.now();
  const child = fork(module, { env });
  const report = await nextMessage(child);
  const floor: Floor = {
    pid: child.pid ?? 0,
    take: async (request) => {
      child.send(request);
      return (await nextMessage(child)) as FloorResult;
    },
    burst: (request, load) => burst(child, request, load),
    close: () => void child.kill(),
  };
  return { floor, report, startedAt };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  const ended = once(child, "exit", waiting).then(([code]) => {
    throw new Error(`The floor ended with exit code ${code}.`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", waiting), ended]);
    return message;
  } finally {
    waiting.abort();
    ended.catch(() => undefined);
  }
}

function burst(
  child: ChildProcess,
  request: FloorRequest,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
): Promise<FloorResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<FloorResult[]>();
  const results: FloorResult[] = [];
  const onExit = (code: number | null) => reject(new Error(`The floor ended with exit code ${code}.`));
  const onMessage = (result: unknown) => {
    results.push(result as FloorResult);
    if (results.length === count) resolve(results);
    else if (results.length + atOnce <= count) child.send(request);
  };
  child.on("message", onMessage).once("exit", onExit);
  for (let sent = 0; sent < Math.min(atOnce, count); sent++) child.send(request);
  return promise.finally(() => child.off("message", onMessage).off("exit", onExit));
}
