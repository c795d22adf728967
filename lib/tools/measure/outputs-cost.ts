// What several outputs of a page cost as one request, compared with captures of each, in turns.
import { engineCapture, engineOutputs, type PageOptions } from "./engine-capture.ts";
import { figureTable, median, milliseconds, pairwiseRatios } from "./figures.ts";
import type { Measurement, Report } from "./measurement.ts";
import { type BenchSite, startBenchSite } from "./pages.ts";
import type { BenchGroup } from "./workbench.ts";

interface OutputSet {
  readonly name: string;
  readonly path: string;
  readonly outputs: readonly ({ readonly name: string } & PageOptions)[];
  /** How long each response of the page's server takes, in milliseconds. */
  readonly latencyMs: number;
}

const pageFormats = [
  { name: "page", full_page: true },
  { name: "pdf", format: "pdf" },
  { name: "text", format: "markdown" },
];
const windowFormats = [
  { name: "window" },
  { name: "thumbnail", format: "webp", image_width: 200 },
  { name: "text", format: "text" },
];

/** Milliseconds in which a server on another continent answers. */
const FAR_MS = 150;

/** A page from this machine costs no time but that of the processor, and painting the full page takes half of that. */
const sets: readonly OutputSet[] = [
  { name: "full page, PDF, Markdown", path: "/heavy", outputs: pageFormats, latencyMs: 0 },
  { name: "full page, PDF, Markdown, far away", path: "/heavy", outputs: pageFormats, latencyMs: FAR_MS },
  { name: "window, thumbnail, text", path: "/heavy", outputs: windowFormats, latencyMs: 0 },
];

export const outputsCost: BenchGroup = {
  name: "outputs",
  parts: sets.map(({ name }) => name),
  async measure(wanted, bench) {
    const rows = [["outputs", "runs", "loads", "one request", "captures", "ratio"]];
    const measurements: Measurement[] = [];
    for (const { name, path, outputs, latencyMs } of sets.filter((set) => wanted.includes(set.name))) {
      await using site = await benchSite(latencyMs);
      const { origin } = site;
      const engine = { allow: [new URL(origin).host], isOffline: true };
      const [captureAlone, captureTogether] = [engineCapture(engine), engineOutputs(engine)];
      const url = `${origin}${path}`;
      const alone = new Map(outputs.map((output) => [output.name, [] as number[]]));
      const [together, captures]: [number[], number[]] = [[], []];
      let loads = 0;
      const request = async () => {
        const result = await timed(() => captureTogether({ url, outputs }));
        ({ loads } = result.value);
        return result.ms;
      };
      const each = async () => {
        let sum = 0;
        for (const { name: output, ...options } of outputs) {
          const { ms } = await timed(() => captureAlone({ url, ...options }));
          alone.get(output)?.push(ms);
          sum += ms;
        }
        return sum;
      };
      await request(); // loads what the others find
      for (let turn = 0; turn < bench.runs; turn++) {
        if (turn % 2 === 0) together.push(await request());
        captures.push(await each());
        if (turn % 2 === 1) together.push(await request());
      }
      const ratios = pairwiseRatios(together, captures);
      const times = [together, captures].map((samples) => milliseconds(median(samples)));
      rows.push([name, String(bench.runs), String(loads), ...times, median(ratios).toFixed(2)]);
      measurements.push(
        { name: `outputs: ${name}`, unit: "ms", samples: together },
        { name: `outputs: ${name}, ratio`, unit: "ratio", samples: ratios },
        ...[...alone].map(
          ([output, samples]): Measurement => ({ name: `outputs: ${name}: ${output} alone`, unit: "ms", samples }),
        ),
      );
      bench.done(name);
    }
    const text = `Several outputs of a page in one request, and as captures one after the other, in turns; "ratio" is the median of the pairs:\n\n${figureTable(rows)}`;
    return { text, measurements, failures: [] } satisfies Report;
  },
};

async function benchSite(latencyMs: number): Promise<BenchSite & AsyncDisposable> {
  const site = await startBenchSite({ latencyMs });
  return { ...site, [Symbol.asyncDispose]: async () => site.close() };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}
