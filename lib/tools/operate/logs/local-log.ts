// The log files of the service of a data folder, which may run or be stopped.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openFileLog } from "../../../service/logs/file-log.ts";
import type { LogReader } from "../../../service/logs/log-line.ts";
import { LocalServiceError } from "../../local/local-service-error.ts";

/** A reader of the files of a data folder. Throws `LocalServiceError` when there are none. */
export function openLocalLog(dataDir: string): LogReader {
  const folder = join(dataDir, "logs");
  if (existsSync(folder)) return openFileLog(folder);
  throw new LocalServiceError(`The data folder '${dataDir}' has no logs. Set DATA_DIR, or name a stage with --stage.`);
}
