// `npm run jobs`: lists and redrives dead letters of asynchronous captures, of this machine or of a stage.
import { findJobResources } from "../lib/tools/local/cli/find-service.ts";
import { commandActor } from "../lib/tools/operate/actor.ts";
import { runCommandLine } from "../lib/tools/operate/command-line.ts";
import { jobCommands } from "../lib/tools/operate/job-commands.ts";

const dataDir = process.env["DATA_DIR"] ?? ".local";
const { printed, hasFailed } = await runCommandLine(jobCommands, process.argv.slice(2), (stage) => ({
  jobs: () => findJobResources({ stage, dataDir }),
  actor: commandActor(),
  now: Date.now(),
}));
if (hasFailed) console.error(printed);
else console.log(printed);
process.exitCode = hasFailed ? 1 : 0;
