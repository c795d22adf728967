// The operator's command: accounts and API keys, of the service on this machine or of a deployed stage.
import { findTables } from "../lib/local/find-service.ts";
import { UsageError } from "../lib/operator/arguments.ts";
import { readCommandLine, usage } from "../lib/operator/command-line.ts";

try {
  const { run, args, stage } = readCommandLine(process.argv.slice(2));
  const tables = () => findTables({ stage, dataDir: process.env.DATA_DIR ?? ".local" });
  console.log(JSON.stringify(await run(args, { tables, now: Date.now() })));
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : (error as Error).message);
  process.exitCode = 1;
}
