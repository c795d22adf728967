// Pauses trials until the end of the month. The budget of the stage invokes it when the costs of the month exceed the budget.
import { endOfMonth, pauseTrials } from "../lib/billing/trial-pause.ts";
import { environment } from "../lib/platform/environment.ts";
import { logInfo } from "../lib/platform/log.ts";

const { USAGE_TABLE } = environment("USAGE_TABLE");

export const handler = async (): Promise<void> => {
  const until = endOfMonth(Date.now());
  await pauseTrials(USAGE_TABLE, until);
  logInfo("trials paused", { until: new Date(until).toISOString() });
};
