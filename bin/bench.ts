// `npm run bench`: what a capture over HTTP costs beside the floor, a bare script with the same Chromium and flags.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildChromiumLayer } from "../layers/chromium/build.ts";
import { buildFontsLayer } from "../layers/fonts/build.ts";
import { demoApiKey } from "../lib/local/demo-account.ts";
import { useLocalDynamoDb } from "../lib/local/find-service.ts";
import { type Service, startService } from "../lib/local/service.ts";
import { synthesize } from "../lib/local/synthesize.ts";
import { median, quantile, table } from "../test/bench/figures.ts";
import { startBenchSite } from "../test/bench/pages.ts";

const WARM_UPS = 3;

/** Name, page, and the options of the capture. */
const scenarios = [
  ["small page, PNG", "/small", {}],
  ["small page, JSON result", "/small", { response_type: "json" }],
  ["heavy page, PNG", "/heavy", {}],
] as const satisfies [string, string, Record<string, string>][];

const { values: flags } = parseArgs({ options: { runs: { type: "string", default: "20" } } });
const runs = Number(flags.runs);

const project = resolve(import.meta.dirname, "..");
const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
const site = await startBenchSite();
const floor = await startFloor();
const service = await startBenchService();
try {
  const key = await demoApiKey(dataDir, service.outputs.AccountsTable ?? "");
  const rows = [["scenario", "floor", "p95", "ours", "p95", "ratio"]];
  const phases: string[] = [];
  for (const [name, page, options] of scenarios) {
    const measured = await measure(key, `${site.origin}${page}`, options);
    const ratio = median(measured.ours) / median(measured.floor);
    const figures = [measured.floor, measured.ours].flatMap((times) => [median(times), quantile(times, 0.95)]);
    rows.push([name, ...figures.map((time) => `${time.toFixed(0)} ms`), ratio.toFixed(2)]);
    phases.push(`${name}: ${medianPhases(measured.timings)}`);
  }
  console.log(`\nMedian and 95th percentile of ${runs} warm captures each, interleaved:\n\n${table(rows)}`);
  console.log(`\nPhases, medians in ms:\n${phases.join("\n")}`);
  console.log(`\nInit of each function, ms: ${initTimes(service)}`);
} finally {
  await service.close();
  floor.kill();
  site.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(key: string, url: string, options: Record<string, string>) {
  const query = new URLSearchParams({ url, ...options });
  const address = `${service.baseUrl}/api/v1/screenshot?${query}`;
  const measured = { floor: [] as number[], ours: [] as number[], timings: [] as string[] };
  for (let run = -WARM_UPS; run < runs; run++) {
    const floorTime = await askFloor(url);
    const begun = performance.now();
    const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
    const body = await response.arrayBuffer();
    const ours = performance.now() - begun;
    if (!response.ok) throw new Error(`The capture failed: ${Buffer.from(body).toString()}`);
    if (run < 0) continue;
    measured.floor.push(floorTime);
    measured.ours.push(ours);
    measured.timings.push(response.headers.get("server-timing") ?? "");
  }
  return measured;
}

function medianPhases(timings: readonly string[]): string {
  const durations = new Map<string, number[]>();
  for (const [, phase = "", duration] of timings.flatMap((timing) => [...timing.matchAll(/(\w+);dur=([\d.]+)/g)])) {
    durations.set(phase, [...(durations.get(phase) ?? []), Number(duration)]);
  }
  return [...durations].map(([phase, times]) => `${phase} ${median(times).toFixed(1)}`).join(", ");
}

function initTimes({ functions }: Service): string {
  return functions
    .filter(({ initTimesMs }) => initTimesMs.length > 0)
    .map(({ name, initTimesMs }) => `${name} ${median(initTimesMs)}`)
    .join(", ");
}

async function startBenchService(): Promise<Service> {
  const started = await startService({
    assembly: (output) => synthesize({ project, output, context: { stage: "local" } }),
    dataDir,
    environment: ({ baseUrl }) => ({
      BASE_URL: baseUrl,
      CAPTURE_ALLOW_ORIGINS: new URL(site.origin).host,
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
    }),
  });
  useLocalDynamoDb(started.endpoints.dynamodb);
  started.warm();
  return started;
}

async function startFloor(): Promise<ChildProcess> {
  const child = fork(join(project, "test", "bench", "floor.ts"), {
    env: {
      ...process.env,
      CHROMIUM_FILES: join(buildChromiumLayer(), "chromium"),
      FONT_FILES: join(buildFontsLayer(), "fonts"),
      TMPDIR: dataDir,
    },
  });
  child.once("exit", (code) => {
    if (!child.killed) throw new Error(`The floor ended with exit code ${code}.`);
  });
  await once(child, "message");
  return child;
}

async function askFloor(url: string): Promise<number> {
  floor.send(url);
  const [taken] = await once(floor, "message");
  return taken;
}
