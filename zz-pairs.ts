// Alternates captures with and without a thumbnail: time to the last byte, with a pause until idle, and back to back.
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
const project = "/work/wt-thumbs";
const { startCaptures } = await import(project + "/lib/tools/measure/captures.ts");
const { synthesize } = await import(project + "/lib/tools/local/assembly/synthesize.ts");
const localAssembly = await synthesize({ project, output: "/tmp/thumbs-assembly", context: { stage: "local" } });
const site = createServer((_, r) => r.setHeader("content-type","text/html").end("<!doctype html><title>Small</title><h1>Hello</h1><p>Some text"));
await new Promise<void>((ok) => site.listen(0, "127.0.0.1", () => ok()));
const { port } = site.address() as any;
const captures = await startCaptures({ project, assembly: localAssembly, dataDir: "/tmp/thumbs-bench", allow: [`127.0.0.1:${port}`],
  onInvocation: ({ logicalId, milliseconds }: any) => { if (logicalId.startsWith("Screenshot")) billed.push(milliseconds); } });
let billed: number[] = [];
const url = `http://127.0.0.1:${port}/`;
const med = (x: number[]) => x.toSorted((a,b)=>a-b)[Math.floor(x.length/2)] ?? NaN;
const q = (x: number[], p: number) => x.toSorted((a,b)=>a-b)[Math.floor(x.length*p)] ?? NaN;
const keys = [captures.key, await captures.openAccount(), await captures.openAccount(), await captures.openAccount()];
let n = 0; const key = () => keys[n++ % keys.length];
async function one(thumb: boolean, pause: boolean) {
  billed = [];
  const { milliseconds } = await captures.take(url, thumb ? {} : { store_thumbnail: "false" }, key());
  if (pause) { await captures.untilIdle(); await setTimeout(30); }
  return [milliseconds, billed[0] ?? 0];
}
for (let i = 0; i < 6; i++) await one(i % 2 === 0, true);
for (const pause of [true, false]) {
  const t: Record<string, number[]> = { with: [], without: [], diff: [], bw: [], bo: [] };
  const runs = Number(process.argv[2] ?? 40);
  for (let i = 0; i < runs; i++) {
    const order = i % 2 === 0 ? [true, false] : [false, true];
    const got: Record<string, number> = {};
    for (const thumb of order) { const [ms=0, b=0] = await one(thumb, pause); if (!pause) { const [ms2=0] = await one(thumb, pause); got[String(thumb)] = ms2; await captures.untilIdle(); await setTimeout(30);} else got[String(thumb)] = ms; (thumb ? t.bw : t.bo)!.push(b); }
    t.with!.push(got["true"]!); t.without!.push(got["false"]!); t.diff!.push(got["true"]! - got["false"]!);
  }
  console.log(pause ? "with pause" : "second of two back to back", "with", med(t.with!).toFixed(1), "without", med(t.without!).toFixed(1), "median diff", med(t.diff!).toFixed(1), "IQR", q(t.diff!, .25).toFixed(1), q(t.diff!, .75).toFixed(1), "p10 with", q(t.with!, .1).toFixed(1), "without", q(t.without!, .1).toFixed(1), "p25", q(t.with!, .25).toFixed(1), q(t.without!, .25).toFixed(1), pause ? `billed p10 with ${q(t.bw!,.1).toFixed(0)} without ${q(t.bo!,.1).toFixed(0)} med with ${med(t.bw!).toFixed(0)} without ${med(t.bo!).toFixed(0)}` : "");
}
await captures.close(); site.close();
process.exit(0);
