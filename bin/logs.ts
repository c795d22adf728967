// `npm run logs`: shows what the functions have logged, of this machine or of a stage.
import { openInsightsLog } from "../lib/service/logs/insights-log.ts";
import { CommandUsageError } from "../lib/tools/operate/arguments.ts";
import { openLocalLog } from "../lib/tools/operate/logs/local-log.ts";
import { LOG_USAGE, parseLogOptions, showLog } from "../lib/tools/operate/logs/log-command.ts";
import { findLogGroups } from "../lib/tools/operate/logs/log-groups.ts";

process.stdout.on("error", () => process.exit()); // of a pipe that has been closed, such as to `head`
try {
  const { stage, ...options } = parseLogOptions(process.argv.slice(2), Date.now());
  const groups = stage === undefined ? [] : await findLogGroups(stage);
  const openLog = () =>
    stage === undefined ? openLocalLog(process.env["DATA_DIR"] ?? ".local") : openInsightsLog(groups);
  const count = await showLog(openLog, options, { print: (line) => void process.stdout.write(`${line}\n`) });
  if (count === 0) console.error("No line matches.");
} catch (error) {
  const { message } = error as Error;
  console.error(error instanceof CommandUsageError ? `${message}\n\n${LOG_USAGE}` : message);
  process.exitCode = 1;
}
