// The alarms of a stage: each has a metric, a threshold, and a section of the same name in the runbook.
import { Duration } from "aws-cdk-lib";
import { type IMetric, type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { CaptureApi } from "../api/capture-api.ts";
import type { ServiceData } from "../data/data-stack.ts";
import { CANARY_INTERVAL } from "../features/canary.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import {
  conflictPercentage,
  faultPercentage,
  persistentFaultPercentage,
  regionConcurrency,
  serverErrorPercentage,
  serviceMetric,
  sumOf,
  throttledEvents,
  untaintedErrors,
} from "./metrics.ts";

/** `page`: customers notice, look at once. `ticket`: look within a day. */
export type Severity = "page" | "ticket";

export interface AlarmDefinition {
  /** Its section in docs/operations.md is `Alarm: <name>`. */
  readonly name: string;
  readonly severity: Severity;
  /** What it means, as a sentence. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** It fires when the metric is at least this, for `periods` periods in a row. */
  readonly threshold: number;
  readonly periods: number;
  /** For a metric that is to be at least the threshold, and that fires when it is missing, too. */
  readonly firesBelow?: boolean;
  /**
   * Whether it stops a gradual rollout: a new version of a function can cause it, and it ends soon after its cause does. What
   * is left in a queue of dead letters would stop every rollout for days, the one that fixes it included.
   * @default false
   */
  readonly guardsRollout?: boolean;
}

export interface Watched {
  readonly stage: StageConfig;
  readonly data: ServiceData;
  readonly api: CaptureApi;
  /** Functions that answer requests, without those with Chromium. */
  readonly routed: readonly ServiceFunction[];
  /** Functions of queues and schedules, without those with Chromium. */
  readonly background: readonly ServiceFunction[];
  /** Functions that run Chromium. */
  readonly browsers: readonly ServiceFunction[];
  readonly capturing: readonly ServiceFunction[];
  /** Pauses trials. */
  readonly budgetGuard: ServiceFunction;
}

/** In five minutes; below it, one failure would be a high percentage. */
const MINIMUM_CAPTURES = 10;

/** In half an hour: a stage with little traffic has fewer captures in five minutes than `MINIMUM_CAPTURES`. */
const MINIMUM_FAULTS = 3;

const MINUTES_5 = { period: Duration.minutes(5) };

/** Part of the account's quota of concurrent executions at which there is still time to raise it. */
const BUSY_SHARE = 0.8;

/** Messages that wait for a function, or, in a queue of dead letters, for the operator. */
function visibleMessages(queue: Queue): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({ ...MINUTES_5, statistic: Stats.MAXIMUM });
}

export function alarmDefinitions({
  stage,
  data,
  api,
  routed,
  background,
  browsers,
  capturing,
}: Watched): readonly AlarmDefinition[] {
  const { queues } = data;
  const tables = [data.accounts.table, data.usage.table, data.activity.table];
  return [
    {
      name: "capture-faults",
      severity: "page",
      meaning: "More than 5 % of the captures fail because of the service.",
      metric: faultPercentage(stage, MINIMUM_CAPTURES),
      threshold: 5,
      periods: 2,
      guardsRollout: true,
    },
    {
      name: "persistent-faults",
      severity: "page",
      meaning: "Within 30 minutes, at least 3 captures and half of all failed because of the service.",
      metric: persistentFaultPercentage(stage, MINIMUM_FAULTS),
      threshold: 50,
      periods: 1,
    },
    {
      name: "api-canary",
      severity: "page",
      meaning: "Requests of the service itself to its public address have failed, or not been made, for 30 minutes.",
      metric: serviceMetric(stage, "ApiCanarySuccess", { statistic: Stats.MINIMUM, period: Duration.minutes(15) }),
      threshold: 1,
      periods: 2,
      firesBelow: true,
    },
    {
      name: "canary",
      severity: "page",
      meaning: "The capture of the service's own page has failed, or not been made, for 15 minutes.",
      metric: serviceMetric(stage, "CanarySuccess", { statistic: Stats.MINIMUM, period: CANARY_INTERVAL }),
      threshold: 1,
      periods: 3,
      firesBelow: true,
      guardsRollout: true,
    },
    {
      name: "server-errors",
      severity: "page",
      meaning: "More than 5 % of all requests are answered with a status from 500 because of the service.",
      metric: serverErrorPercentage(stage, api, MINIMUM_CAPTURES),
      threshold: 5,
      periods: 2,
      guardsRollout: true,
    },
    {
      name: "capture-time",
      severity: "ticket",
      meaning:
        "The service itself takes longer than 10 seconds of one capture in twenty, besides the time of the page.",
      metric: serviceMetric(stage, "ServiceTime", { statistic: Stats.p(95) }),
      threshold: 10_000,
      periods: 3,
      guardsRollout: true,
    },
    {
      name: "throttled-captures",
      severity: "page",
      meaning: "Lambda refuses to run functions that capture: the concurrency of the AWS account is used up.",
      metric: sumOf(capturing, (fn) => fn.metricThrottles(MINUTES_5), "Throttles"),
      threshold: 10,
      periods: 2,
    },
    ...(stage.concurrencyQuota === undefined
      ? []
      : [
          {
            name: "concurrency",
            severity: "ticket",
            meaning: "Four fifths of the concurrent executions of the AWS account are in use.",
            metric: regionConcurrency(),
            threshold: BUSY_SHARE * stage.concurrencyQuota,
            periods: 2,
          } as const,
        ]),
    {
      name: "function-errors",
      severity: "ticket",
      meaning: "Functions that answer requests end with an error or a timeout.",
      metric: sumOf(routed, (fn) => fn.metricErrors(MINUTES_5), "Errors"),
      threshold: 5,
      periods: 2,
      guardsRollout: true,
    },
    {
      name: "background-errors",
      severity: "ticket",
      meaning: "Functions of queues and schedules end with an error or a timeout.",
      metric: sumOf(background, (fn) => fn.metricErrors(MINUTES_5), "Errors"),
      threshold: 5,
      periods: 2,
      guardsRollout: true,
    },
    {
      name: "browser-errors",
      severity: "ticket",
      meaning: "Functions that run Chromium end with an error or a timeout, other than by a tainted sandbox.",
      metric: untaintedErrors(stage, browsers),
      threshold: 5,
      periods: 2,
      guardsRollout: true,
    },
    {
      name: "tainted-sandboxes",
      severity: "ticket",
      meaning: "Browsers do not start, or leave files or processes behind.",
      metric: serviceMetric(stage, "TaintedSandboxes"),
      threshold: 3,
      periods: 2,
    },
    {
      name: "render-queue-age",
      severity: "page",
      meaning: "An asynchronous capture has waited for 15 minutes.",
      metric: queues.render.metricApproximateAgeOfOldestMessage({ ...MINUTES_5, statistic: Stats.MAXIMUM }),
      threshold: 900,
      periods: 2,
    },
    {
      name: "webhook-queue-age",
      severity: "ticket",
      meaning: "A message of a webhook has been in its queue for half an hour.",
      metric: queues.webhook.metricApproximateAgeOfOldestMessage({ ...MINUTES_5, statistic: Stats.MAXIMUM }),
      threshold: 1_800,
      periods: 2,
    },
    {
      name: "failed-captures",
      severity: "ticket",
      meaning: "Asynchronous captures have failed for good because of the service.",
      metric: visibleMessages(queues.failedRenders),
      threshold: 1,
      periods: 1,
    },
    {
      name: "webhook-dead-letters",
      severity: "ticket",
      meaning: "No function could handle a webhook message.",
      metric: visibleMessages(queues.webhookDeadLetters),
      threshold: 1,
      periods: 1,
    },
    // The queue is used in a stage that sends mail.
    ...(stage.mail
      ? [
          {
            name: "quota-alert-dead-letters",
            severity: "ticket",
            meaning: "Mail about quotas and keys could not be sent.",
            metric: visibleMessages(queues.quotaAlertDeadLetters),
            threshold: 1,
            periods: 1,
          } as const,
        ]
      : []),
    {
      name: "transaction-conflicts",
      severity: "ticket",
      meaning: "DynamoDB cancels more transactions for conflicts than captures are made.",
      metric: conflictPercentage(stage, tables, MINIMUM_CAPTURES),
      threshold: 100,
      periods: 3,
    },
    {
      name: "webhooks-in-flight",
      severity: "page",
      meaning:
        "Half of the messages that the webhook queue can have in flight are: at 120,000, no webhook of anyone moves.",
      metric: queues.webhook.metricApproximateNumberOfMessagesNotVisible({ ...MINUTES_5, statistic: Stats.MAXIMUM }),
      threshold: 60_000,
      periods: 1,
    },
    {
      name: "account-data-dead-letters",
      severity: "ticket",
      meaning: "An export of an account's data has failed, or the deletion of an account stands still.",
      metric: visibleMessages(queues.accountDataDeadLetters),
      threshold: 1,
      periods: 1,
    },
    {
      name: "throttled-tables",
      severity: "page",
      meaning: "DynamoDB refuses reads or writes for lack of throughput.",
      metric: throttledEvents(tables),
      threshold: 10,
      periods: 2,
    },
  ];
}
