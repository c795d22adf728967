// `npm run incidents`: opens, updates, and closes the incidents of the status page, of this machine or of a stage.
import { findAccountStorage, findBaseUrl } from "../lib/tools/local/cli/find-service.ts";
import { commandActor } from "../lib/tools/operate/actor.ts";
import { runCommandLine } from "../lib/tools/operate/command-line.ts";
import { incidentCommands } from "../lib/tools/operate/incident-commands.ts";

const dataDir = process.env["DATA_DIR"] ?? ".local";
const { printed, hasFailed } = await runCommandLine(incidentCommands, process.argv.slice(2), (stage) => ({
  storage: () => findAccountStorage({ stage, dataDir }),
  baseUrl: () => findBaseUrl({ stage, dataDir }),
  actor: commandActor(),
  now: Date.now(),
}));
if (hasFailed) console.error(printed);
else console.log(printed);
process.exitCode = hasFailed ? 1 : 0;
