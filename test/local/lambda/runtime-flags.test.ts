// The flags with which a sandbox starts Node.js: those of Lambda's managed runtime.
import { expect, test } from "vitest";
import { serve } from "../support.ts";

test("sandbox: Node.js has the heap that Lambda's managed runtime gives it", async () => {
  const source = `export const handler = async () => ({ statusCode: 200, body: JSON.stringify(process.execArgv) });`;
  const service = await serve({ functions: { Flags: { routes: ["GET /"], source, properties: { MemorySize: 512 } } } });

  const response = await fetch(service.baseUrl);

  expect(await response.json()).toEqual([
    "--expose-gc",
    "--max-http-header-size=81920",
    "--max-semi-space-size=25",
    "--max-old-space-size=461",
  ]);
});
