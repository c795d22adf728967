// The cost of the egress proxy: a page of 50 requests with the bare script, directly and through the proxy, in turns.
import { figureTable, median, milliseconds, pairwiseRatios } from "./figures.ts";
import type { FloorRequest } from "./floor.ts";
import type { Floor } from "./floor-process.ts";
import type { Measurement, Report } from "./measurement.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const WARM_UPS = 2;

export const egress: BenchGroup = {
  name: "egress",
  parts: ["egress"],
  measure: (_, bench) => measureEgress(bench),
};

async function measureEgress(bench: Workbench): Promise<Report> {
  const [site, floor] = [await bench.site(), await bench.floor()];
  const rows = [["page", "runs", "directly", "contained", "ratio"]];
  const measurements: Measurement[] = [];
  const origins = { "50 requests, HTTP/1.1": site.origin, "50 requests, HTTP/2 with TLS": site.secureOrigin };
  for (const [name, origin] of Object.entries(origins)) {
    const request: FloorRequest = { url: `${origin}/heavy`, job: { take: "window" } };
    const [direct, contained] = await inTurns(floor, request, bench.runs);
    const [without, having] = [median(direct), median(contained)];
    rows.push([name, `${bench.runs}`, milliseconds(without), milliseconds(having), (having / without).toFixed(2)]);
    const ratio = pairwiseRatios(contained, direct);
    measurements.push({ name: `egress: ${name}, beside directly`, unit: "ratio", samples: ratio });
  }
  const text = `The bare script, directly and through the egress proxy, medians:\n\n${figureTable(rows)}`;
  return { text, measurements, failures: [] };
}

async function inTurns(floor: Floor, request: FloorRequest, runs: number): Promise<[number[], number[]]> {
  const [direct, contained]: [number[], number[]] = [[], []];
  for (let run = -WARM_UPS; run < runs; run++) {
    const times = [await floor.take(request), await floor.take({ ...request, isContained: true })] as const;
    if (run < 0) continue;
    direct.push(times[0].milliseconds);
    contained.push(times[1].milliseconds);
  }
  return [direct, contained];
}
