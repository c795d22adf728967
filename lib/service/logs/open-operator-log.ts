// Chooses where a function reads the log of its stage.
import type { Environment } from "../platform/environment.ts";
import { fileOperatorLog } from "./file-operator-log.ts";
import { insightsOperatorLog } from "./insights-operator-log.ts";
import type { OperatorLog } from "./operator-log.ts";

type LogVariables = Pick<Environment, "LOG_FOLDER" | "LOG_GROUPS" | "RENDERER">;

/** A function has one stage, and keeps what it has read of its log files. */
let opened: OperatorLog | undefined;

/** The log of this function's stage: in files where `LOG_FOLDER` names their folder, otherwise in CloudWatch. */
export function openOperatorLog({ LOG_FOLDER, LOG_GROUPS, RENDERER }: LogVariables): OperatorLog {
  const startMetric = RENDERER === "separate" ? "RendererStarts" : "ColdStarts";
  opened ??=
    LOG_FOLDER === undefined
      ? insightsOperatorLog(LOG_GROUPS, { startMetric })
      : fileOperatorLog(LOG_FOLDER, startMetric);
  return opened;
}
