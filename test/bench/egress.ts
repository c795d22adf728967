// What containment costs: a page of 50 requests by the bare script, directly and through the egress proxy, in turns.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, table } from "./figures.ts";
import type { FloorRequest } from "./floor.ts";
import { type Floor, startFloor } from "./floor-process.ts";
import { startBenchSite } from "./pages.ts";

export const EGRESS = { name: "egress" };

const WARM_UPS = 2;

/** Measures each way `runs` times; text for people to read. */
export async function measureEgress(runs: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const [site, floor] = [await startBenchSite(), await startFloor(folder)];
  const rows = [["page", "runs", "directly", "contained", "ratio"]];
  const origins = { "50 requests, HTTP/1.1": site.origin, "50 requests, HTTP/2 with TLS": site.secureOrigin };
  for (const [name, origin] of Object.entries(origins)) {
    const request: FloorRequest = { url: `${origin}/heavy`, job: { take: "window" } };
    const [direct, contained] = await inTurns(floor, request, runs);
    rows.push([name, `${runs}`, milliseconds(direct), milliseconds(contained), (contained / direct).toFixed(2)]);
  }
  floor.close();
  site.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return `The bare script, directly and through the egress proxy, medians:\n\n${table(rows)}`;
}

async function inTurns(floor: Floor, request: FloorRequest, runs: number): Promise<[number, number]> {
  const [direct, contained]: [number[], number[]] = [[], []];
  for (let run = -WARM_UPS; run < runs; run++) {
    const times = [await floor.take(request), await floor.take({ ...request, isContained: true })] as const;
    if (run < 0) continue;
    direct.push(times[0].milliseconds);
    contained.push(times[1].milliseconds);
  }
  return [median(direct), median(contained)];
}

function milliseconds(time: number): string {
  return `${time.toFixed(0)} ms`;
}
