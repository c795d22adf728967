// `npm run operator`: links to the operator's page, the audit log, and the operator's secret, of this machine or of a stage.
import { findAccountStorage, findBaseUrl } from "../lib/tools/local/cli/find-service.ts";
import { commandActor } from "../lib/tools/operate/actor.ts";
import { runCommandLine } from "../lib/tools/operate/command-line.ts";
import { operatorCommands } from "../lib/tools/operate/operator-commands.ts";

process.stdout.on("error", () => process.exit()); // of a pipe that has been closed, such as to `head`
const dataDir = process.env["DATA_DIR"] ?? ".local";
const { printed, hasFailed } = await runCommandLine(operatorCommands, process.argv.slice(2), (stage, status) => ({
  storage: () => findAccountStorage({ stage, dataDir }),
  baseUrl: () => findBaseUrl({ stage, dataDir }),
  actor: commandActor(),
  print: (line) => status.interrupt(() => console.log(line)),
  now: Date.now(),
}));
if (hasFailed) console.error(printed);
else if (printed !== undefined) console.log(printed);
process.exitCode = hasFailed ? 1 : 0;
