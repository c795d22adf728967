// The flags with which a sandbox starts Node.js: those of Lambda's managed runtime, and those that close its process.
import { join } from "node:path";
import { expect, test } from "vitest";
import { hardeningFolder } from "../../../../layers/hardening/build.ts";
import { CLOSED_PROCESS_FILE } from "../../../../lib/engine/browser/protection.ts";
import { closedProcessFlags } from "../../../../lib/tools/local/lambda/sandbox-environment.ts";
import { serve } from "../support.ts";

test("sandbox: Node.js has the heap that Lambda's managed runtime gives it", async () => {
  const source = `export const handler = async () => ({ statusCode: 200, body: JSON.stringify(process.execArgv) });`;
  const service = await serve({ functions: { Flags: { routes: ["GET /"], source, properties: { MemorySize: 512 } } } });

  const response = await fetch(service.baseUrl);

  expect((await response.json()).slice(0, 4)).toEqual([
    "--expose-gc",
    "--max-http-header-size=81920",
    "--max-semi-space-size=25",
    "--max-old-space-size=461",
  ]);
});

test("sandbox: Node.js closes its process to those of other sandboxes, unless tools are to read it", async () => {
  const source = `export const handler = async () => ({ statusCode: 200, body: JSON.stringify(process.execArgv) });`;
  const service = await serve({ functions: { Flags: { routes: ["GET /"], source } } });

  const response = await fetch(service.baseUrl);

  const closed = ["--disable-sigusr1", `--require=${join(hardeningFolder("x64"), CLOSED_PROCESS_FILE)}`];
  expect(await response.json()).toEqual(expect.arrayContaining(closed));
  expect([closedProcessFlags({}), closedProcessFlags({ PROCESS_ACCESS: "open" })]).toEqual([closed, []]);
});
