// What several outputs of a page cost as one request, compared with captures of each, in turns.
import { engineCapture, engineOutputs, type PageOptions } from "./engine-capture.ts";
import { figureTable, median, milliseconds, pairwiseRatios } from "./figures.ts";
import type { Measurement, Report } from "./measurement.ts";
import type { BenchGroup } from "./workbench.ts";

interface OutputSet {
  readonly name: string;
  readonly path: string;
  readonly outputs: readonly ({ readonly name: string } & PageOptions)[];
  /** Highest median of the ratio to the captures one after the other. */
  readonly maxRatio: number;
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

const sets: readonly OutputSet[] = [
  { name: "full page, PDF, Markdown of the heavy page", path: "/heavy", outputs: pageFormats, maxRatio: 0.6 },
  { name: "full page, PDF, Markdown of an article", path: "/article-10000", outputs: pageFormats, maxRatio: 0.6 },
  { name: "window, thumbnail, text of the heavy page", path: "/heavy", outputs: windowFormats, maxRatio: 0.6 },
];

export const outputsCost: BenchGroup = {
  name: "outputs",
  parts: sets.map(({ name }) => name),
  async measure(wanted, bench) {
    const rows = [["outputs", "runs", "loads", "one request", "captures", "ratio"]];
    const measurements: Measurement[] = [];
    const failures: string[] = [];
    const { origin } = await bench.site();
    const engine = { allow: [new URL(origin).host], isOffline: true };
    const [capture, captureOutputs] = [engineCapture(engine), engineOutputs(engine)];
    for (const { name, path, outputs, maxRatio } of sets.filter((set) => wanted.includes(set.name))) {
      const url = `${origin}${path}`;
      const alone = new Map(outputs.map((output) => [output.name, [] as number[]]));
      const [together, captures]: [number[], number[]] = [[], []];
      let loads = 0;
      const request = async () => {
        const result = await timed(() => captureOutputs({ url, outputs }));
        ({ loads } = result.value);
        return result.ms;
      };
      const each = async () => {
        let sum = 0;
        for (const { name: output, ...options } of outputs) {
          const { ms } = await timed(() => capture({ url, ...options }));
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
      if (median(ratios) > maxRatio)
        failures.push(`outputs: ${name} take ${median(ratios).toFixed(2)} of the captures, more than ${maxRatio}.`);
      bench.done(name);
    }
    const text = `Several outputs of a page in one request, and as captures one after the other, in turns; "ratio" is the median of the pairs:\n\n${figureTable(rows)}`;
    return { text, measurements, failures } satisfies Report;
  },
};

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}
