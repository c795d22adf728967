// The memory setting of the screenshot function: time and price with the CPU share of each setting.
import { invocationCost } from "./cost-model.ts";
import { canLimit, openCpuShare, PERIOD_MICROSECONDS, vcpusOf } from "./cpu-share.ts";
import { figureTable, median, milliseconds } from "./figures.ts";
import { functionSettings } from "./function-settings.ts";
import { heavyPng, type Kind, measureKind, smallPng } from "./kinds.ts";
import type { Measurement, Report } from "./measurement.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const SETTINGS = [1_024, 1_536, 1_769, 2_048, 2_560, 3_008];
const RUNS = 8;

const NAME = "memory setting";

export const memorySetting: BenchGroup = {
  name: NAME,
  parts: [NAME],
  async measure(_, bench) {
    if (canLimit()) return measureSettings(bench);
    const text = "Memory settings: left out, for this user cannot write /sys/fs/cgroup/cpu on this machine.";
    return { text, measurements: [], failures: [] };
  },
};

/** All settings in turns, so that other load of the machine affects each of them alike. */
async function measureSettings(bench: Workbench): Promise<Report> {
  const service = await bench.instrumented();
  const { storageMegabytes } = (await functionSettings(await bench.assembly()))("Screenshot");
  const kinds: readonly Kind[] = [smallPng, heavyPng];
  for (const kind of kinds) await measureKind(kind, { service, number: 0 });
  const { pid } = await service.captures.sandbox();
  const share = openCpuShare(pid, SETTINGS[0] ?? 0);
  const billed = new Map(SETTINGS.map((megabytes) => [megabytes, kinds.map((): number[] => [])]));
  try {
    for (let run = 0; run < Math.min(RUNS, bench.runs); run++) {
      for (const [megabytes, ofKinds] of billed) {
        share.limit(megabytes);
        for (const [index, kind] of kinds.entries()) {
          const { invocations } = await measureKind(kind, { service, number: run });
          ofKinds[index]?.push(invocations[0]?.milliseconds ?? 0);
        }
      }
      bench.done(`${NAME}s, run ${run + 1}`);
    }
  } finally {
    share.close();
  }
  const rows = [["memory", "vCPUs", ...kinds.flatMap(({ name }) => [name, "USD per 1,000"])]];
  const measurements: Measurement[] = [];
  for (const [memoryMegabytes, ofKinds] of billed) {
    const cells = ofKinds.flatMap((times) => {
      const cost = invocationCost({ milliseconds: median(times), memoryMegabytes, storageMegabytes });
      return [milliseconds(median(times)), (1_000 * cost).toFixed(4)];
    });
    rows.push([`${memoryMegabytes.toLocaleString("en")} MB`, vcpusOf(memoryMegabytes), ...cells]);
    for (const [index, samples] of ofKinds.entries()) {
      const name = `${NAME}: ${memoryMegabytes} MB, ${kinds[index]?.name}, billed`;
      measurements.push({ name, unit: "ms", samples });
    }
  }
  const heading =
    `Billed time and Lambda's price with the processor time of a memory setting, in periods of ` +
    `${PERIOD_MICROSECONDS / 1_000} ms (the memory itself is not held back):`;
  return { text: `${heading}\n\n${figureTable(rows)}`, measurements, failures: [] };
}
