// Exports the data of accounts, and deletes accounts, one step at a time. It alone can delete what accounts have.

import { runStep } from "../lib/service/account-data/run-step.ts";
import { queueHandler } from "../lib/service/aws/queue-handler.ts";
import { environment } from "../lib/service/platform/environment.ts";

const env = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "ACTIVITY_TABLE",
  "RESULTS_BUCKET",
  "USAGE_RETENTION_DAYS",
  "BASE_URL",
  "ACCOUNT_DATA_QUEUE_URL",
  "DELETION_SWEEP_SECONDS",
  "MAIL_FROM",
);

export const handler = queueHandler(env.ACCOUNT_DATA_QUEUE_URL, (message) => runStep(message, env));
