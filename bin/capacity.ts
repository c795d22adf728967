// `npm run capacity`: counts what captures use of each engine, and prints how many a second a cell takes. With --save, the counts and
// the tables of docs/scale.md are written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { synthesize } from "../lib/tools/local/assembly/synthesize.ts";
import { capacityTables } from "../lib/tools/measure/capacity/capacity-tables.ts";
import { BUSY_ENVIRONMENT, countUse } from "../lib/tools/measure/capacity/capture-use.ts";
import { replaceTables } from "../lib/tools/measure/capacity/scale-document.ts";
import { startInstrumentedService } from "../lib/tools/measure/instrumented-service.ts";

const { values } = parseArgs({ options: { save: { type: "boolean", default: false } } });
const project = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "capacity-"));
try {
  const assembly = synthesize({ project, output: join(folder, "assembly"), context: { stage: "local" } });
  const options = { project, assembly: await assembly, dataDir: join(folder, "data"), environment: BUSY_ENVIRONMENT };
  const service = await startInstrumentedService(options);
  const used = await countUse(service).finally(() => service.close());
  const tables = capacityTables(used);
  console.log(Object.values(tables).join("\n\n"));
  if (values.save) {
    const page = join(project, "docs/scale.md");
    writeFileSync(
      join(project, "lib/tools/measure/capacity/counted-use.json"),
      `${JSON.stringify(used, undefined, 2)}\n`,
    );
    writeFileSync(page, replaceTables(readFileSync(page, "utf8"), tables));
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
