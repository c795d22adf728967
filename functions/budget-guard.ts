// Pauses trials until the end of the month. The budget of the stage invokes it when the costs of the month exceed the budget.
import { endOfMonth, pauseTrials } from "../lib/service/billing/trial-pause.ts";
import { environment } from "../lib/service/platform/environment.ts";
import { logInfo } from "../lib/service/platform/log.ts";

const { USAGE_TABLE } = environment("USAGE_TABLE");

export const handler = async (): Promise<void> => {
  const until = endOfMonth(Date.now());
  await pauseTrials(USAGE_TABLE, until);
  logInfo("trials paused", { until: new Date(until).toISOString() });
};
