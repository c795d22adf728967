// `npm run accounts`: manages accounts and API keys of the local service or of a deployed stage.
import { findAccountStorage, findBaseUrl, findTables } from "../lib/tools/local/cli/find-service.ts";
import { commandActor } from "../lib/tools/operate/actor.ts";
import { runCommandLine } from "../lib/tools/operate/command-line.ts";
import { accountCommands } from "../lib/tools/operate/commands.ts";

const dataDir = process.env["DATA_DIR"] ?? ".local";
const { printed, hasFailed } = await runCommandLine(accountCommands, process.argv.slice(2), (stage) => ({
  tables: () => findTables({ stage, dataDir }),
  storage: () => findAccountStorage({ stage, dataDir }),
  baseUrl: () => findBaseUrl({ stage, dataDir }),
  actor: commandActor(),
  now: Date.now(),
}));
if (hasFailed) console.error(printed);
else console.log(printed);
process.exitCode = hasFailed ? 1 : 0;
