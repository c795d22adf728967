// Chooses where a function reads the log of its stage.
import type { Environment } from "../platform/environment.ts";
import type { OperatorLog } from "./operator-log.ts";

/** The log of this function's stage: in files where `LOG_FOLDER` names their folder, otherwise in CloudWatch. */
export function openOperatorLog(env: LogVariables): Promise<OperatorLog> {
  opened ??= open(env);
  return opened;
}

/** A function has one stage, and the log of files goes on from what was read. */
let opened: Promise<OperatorLog> | undefined;

type LogVariables = Pick<Environment, "LOG_FOLDER" | "LOG_GROUPS" | "RENDERER">;

async function open({ LOG_FOLDER, LOG_GROUPS, RENDERER }: LogVariables): Promise<OperatorLog> {
  const startMetric = RENDERER === "separate" ? "RendererStarts" : "ColdStarts";
  if (LOG_FOLDER !== undefined) {
    const { fileOperatorLog } = await import("./file-operator-log.ts");
    return fileOperatorLog(LOG_FOLDER, startMetric);
  }
  const { insightsOperatorLog } = await import("./insights-operator-log.ts");
  return insightsOperatorLog(LOG_GROUPS, { startMetric });
}
