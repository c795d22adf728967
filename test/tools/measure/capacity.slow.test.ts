// What captures use, counted again: the figures of docs/scale.md are those of this version.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { BUSY_ENVIRONMENT, countUse } from "../../../lib/tools/measure/capacity/capture-use.ts";
import counted from "../../../lib/tools/measure/capacity/counted-use.json" with { type: "json" };
import { startInstrumentedService } from "../../../lib/tools/measure/instrumented-service.ts";
import { localAssembly } from "../../support/local-assembly.ts";

const folder = mkdtempSync(join(tmpdir(), "capacity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("capacity: captures use what the model says; otherwise run npm run capacity -- --save", {
  timeout: 180_000,
}, async () => {
  const assembly = join(folder, "assembly");
  await localAssembly(assembly);
  const service = await startInstrumentedService({
    project: resolve(import.meta.dirname, "../../.."),
    assembly,
    dataDir: join(folder, "data"),
    environment: BUSY_ENVIRONMENT,
  });
  const used = await countUse(service).finally(() => service.close());
  expect(used).toEqual(counted);
});
