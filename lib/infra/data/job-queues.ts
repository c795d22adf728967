// The queues of captures to render, of webhooks to deliver, of quota alerts to send, and of steps of exports and deletions, with their
// dead-letter queues and grants.
import { Duration, Names } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { EventSourceMapping, type EventSourceMappingOptions } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption, type QueueProps } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { TASK_LEASE_MS } from "../../service/account-data/task-lease.ts";
import { MAX_STEP_RECEIVES } from "../../service/account-data/task-queue.ts";
import { MAX_RENDER_RECEIVES } from "../../service/jobs/job-queue.ts";
import { FAILED_RENDER_DAYS, QUEUED_RENDER_DAYS } from "../../service/jobs/message-retention.ts";
import type { EnvironmentVariable } from "../../service/platform/environment.ts";
import { DELIVERY_ATTEMPT_TIMEOUT_MS } from "../../service/webhooks/webhook.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import { WebhookSchedules } from "./webhook-schedules.ts";

/** A message that has to wait is sent again, so these are receives whose function ended with an error: each comes again within a minute. */
const MAX_WEBHOOK_RECEIVES = 100;

/**
 * The timeout of the function, which is the least that Lambda accepts: a job waits this long when its function is killed before it
 * has claimed the job. From then on, the function's heartbeats hide the message.
 */
const RENDER_VISIBILITY = Duration.seconds(120);
/** AWS recommends six times the function's timeout. The functions shorten it for the retry of a message. */
const DEAD_LETTER_VISIBILITY = Duration.seconds(6 * 15);
const QUOTA_ALERT_VISIBILITY = Duration.seconds(6 * 15);
const MAX_QUOTA_ALERT_RECEIVES = 10;
/** Longer than the lease of a step, which is longer than the timeout of the function. */
const ACCOUNT_DATA_VISIBILITY = Duration.millis(TASK_LEASE_MS + 10_000);
const WEBHOOK_VISIBILITY = Duration.millis(6 * DELIVERY_ATTEMPT_TIMEOUT_MS);

/**
 * Maximum of concurrent executions that Lambda's pollers of a queue start, and, in provisioned mode, of those that one poller starts.
 * The modes exclude each other.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const MAX_POLLED_CONCURRENCY = 1_000;
const EXECUTIONS_PER_POLLER = 10;
/** CloudFormation's maximum is lower than that of Lambda's API, which is 10,000. */
const MAX_POLLERS = 2_000;

export interface JobQueuesProps {
  readonly stage: StageConfig;
}

export class JobQueues extends Construct {
  readonly render: Queue;
  /** Keeps the messages of failed captures for the operator's commands. */
  readonly failedRenders: Queue;
  readonly webhookDeadLetters: Queue;
  private readonly renderDeadLetters: Queue;
  readonly webhook: Queue;
  readonly quotaAlertDeadLetters: Queue;
  /** Steps of exports of accounts' data, and of deletions of accounts. */
  readonly accountData: Queue;
  readonly accountDataDeadLetters: Queue;
  /** Checks of quotas, and notices by e-mail. Without use in a stage that sends no mail. It is there all the same, so that mail can be turned off; see `DataStack`. */
  private readonly quotaAlerts: Queue;
  /** Webhooks that wait for longer than a message can. */
  readonly webhookSchedules: WebhookSchedules;
  private readonly stage: StageConfig;

  constructor(scope: Construct, id: string, { stage }: JobQueuesProps) {
    super(scope, id);
    this.stage = stage;
    this.failedRenders = this.queue("FailedRenders", { retentionPeriod: Duration.days(FAILED_RENDER_DAYS) });
    this.renderDeadLetters = this.queue("RenderDeadLetters", {
      retentionPeriod: Duration.days(QUEUED_RENDER_DAYS),
      visibilityTimeout: DEAD_LETTER_VISIBILITY,
      deadLetterQueue: { queue: this.failedRenders, maxReceiveCount: MAX_RENDER_RECEIVES },
    });
    this.render = this.queue("Render", {
      retentionPeriod: Duration.days(QUEUED_RENDER_DAYS),
      visibilityTimeout: RENDER_VISIBILITY,
      deadLetterQueue: { queue: this.renderDeadLetters, maxReceiveCount: MAX_RENDER_RECEIVES },
    });
    this.webhookDeadLetters = this.queue("WebhookDeadLetters", { retentionPeriod: Duration.days(14) });
    this.webhook = this.queue("Webhook", {
      visibilityTimeout: WEBHOOK_VISIBILITY,
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: this.webhookDeadLetters, maxReceiveCount: MAX_WEBHOOK_RECEIVES },
    });
    this.accountDataDeadLetters = this.queue("AccountDataDeadLetters", { retentionPeriod: Duration.days(14) });
    this.accountData = this.queue("AccountData", {
      visibilityTimeout: ACCOUNT_DATA_VISIBILITY,
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: this.accountDataDeadLetters, maxReceiveCount: MAX_STEP_RECEIVES },
    });
    this.quotaAlertDeadLetters = this.queue("QuotaAlertDeadLetters", { retentionPeriod: Duration.days(14) });
    this.webhookSchedules = new WebhookSchedules(this, "WebhookSchedules", {
      stage,
      queue: this.webhook,
      deadLetters: this.webhookDeadLetters,
    });
    this.quotaAlerts = this.queue("QuotaAlerts", {
      visibilityTimeout: QUOTA_ALERT_VISIBILITY,
      deadLetterQueue: { queue: this.quotaAlertDeadLetters, maxReceiveCount: MAX_QUOTA_ALERT_RECEIVES },
    });
  }

  /** Queues that functions or alarms use. */
  get all(): readonly Queue[] {
    const { render, failedRenders, renderDeadLetters, webhook, webhookDeadLetters } = this;
    const { accountData, accountDataDeadLetters, quotaAlerts, quotaAlertDeadLetters } = this;
    return [
      ...[render, failedRenders, renderDeadLetters, webhook, webhookDeadLetters],
      ...[accountData, accountDataDeadLetters, quotaAlerts, quotaAlertDeadLetters],
    ];
  }

  /** Lets the function queue captures. */
  grantSendRenders(fn: ServiceFunction): void {
    this.grantSend(fn, this.render, "RENDER_QUEUE_URL");
  }

  /** Lets the function queue webhooks. */
  grantSendWebhooks(fn: ServiceFunction): void {
    this.grantSend(fn, this.webhook, "WEBHOOK_QUEUE_URL");
  }

  /** Invokes the function with one capture at a time, and lets it postpone the retry. */
  feedRenders(fn: ServiceFunction): void {
    this.feed(fn, this.render, "RENDER_QUEUE_URL", this.stage.jobConcurrency);
  }

  /** Invokes the function with one dead message at a time, two at once. */
  feedDeadLetters(fn: ServiceFunction): void {
    this.feed(fn, this.renderDeadLetters, "RENDER_DEAD_LETTER_QUEUE_URL", 2);
  }

  /** Lets the function store the messages of failed captures for the operator. */
  grantStoreFailedRenders(fn: ServiceFunction): void {
    this.grantSend(fn, this.failedRenders, "FAILED_RENDER_QUEUE_URL");
  }

  /** Lets the function receive, keep, and delete the messages of failed captures and webhooks, and queue both again. */
  grantRetryFailed(fn: ServiceFunction): void {
    this.grantSendRenders(fn);
    this.grantSendWebhooks(fn);
    const queues = {
      FAILED_RENDER_QUEUE_URL: this.failedRenders,
      WEBHOOK_DEAD_LETTER_QUEUE_URL: this.webhookDeadLetters,
    };
    this.grant(fn, ["ReceiveMessage", "ChangeMessageVisibility", "DeleteMessage"], queues);
  }

  /** Lets the function count the messages of captures and webhooks that wait, and of those that failed. It can receive none. */
  grantCountMessages(fn: ServiceFunction): void {
    this.grant(fn, ["GetQueueAttributes"], {
      RENDER_QUEUE_URL: this.render,
      WEBHOOK_QUEUE_URL: this.webhook,
      FAILED_RENDER_QUEUE_URL: this.failedRenders,
      WEBHOOK_DEAD_LETTER_QUEUE_URL: this.webhookDeadLetters,
    });
  }

  /** Invokes the function with one webhook at a time, and lets it hide the message while it is handled. */
  feedWebhooks(fn: ServiceFunction): void {
    this.feed(fn, this.webhook, "WEBHOOK_QUEUE_URL", this.stage.webhookConcurrency);
  }

  /** Lets the function start exports of accounts' data, and deletions of accounts. */
  grantStartAccountTasks(fn: ServiceFunction): void {
    this.grantSend(fn, this.accountData, "ACCOUNT_DATA_QUEUE_URL");
  }

  /** Invokes the function with one step at a time, four at once, and lets it queue the next one. */
  feedAccountTasks(fn: ServiceFunction): void {
    this.feed(fn, this.accountData, "ACCOUNT_DATA_QUEUE_URL", 4);
    this.grantStartAccountTasks(fn);
  }

  /** Lets the function queue notices to the owner of an account or to the operator, in a stage that sends mail. */
  grantQueueNotices(fn: ServiceFunction): void {
    if (this.stage.mail) this.grantSend(fn, this.quotaAlerts, "QUOTA_ALERT_QUEUE_URL");
  }

  /** Lets the function queue checks of an account's quotas, in a stage that sends mail. */
  grantQueueQuotaChecks(fn: ServiceFunction): void {
    if (!this.stage.mail) return;
    this.grantQueueNotices(fn);
    fn.setEnvironment("QUOTA_ALERT_DELAY_SECONDS", String(this.stage.quotaAlertDelaySeconds));
  }

  /** Invokes the function with one account at a time, two at once, in a stage that sends mail. */
  feedQuotaAlerts(fn: ServiceFunction): void {
    if (this.stage.mail) this.feed(fn, this.quotaAlerts, "QUOTA_ALERT_QUEUE_URL", 2);
  }

  private queue(id: string, props: QueueProps): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: this.stage.removalPolicy,
      ...props,
    });
  }

  private grantSend(fn: ServiceFunction, queue: Queue, variable: EnvironmentVariable): void {
    this.grant(fn, ["SendMessage"], { [variable]: queue });
  }

  /** Grants actions on queues, by the variables that name their addresses. */
  private grant(
    fn: ServiceFunction,
    actions: readonly string[],
    queues: { readonly [Name in EnvironmentVariable]?: Queue },
  ): void {
    for (const [variable, queue] of Object.entries(queues))
      fn.setEnvironment(variable as EnvironmentVariable, queue.queueUrl);
    const statement = {
      actions: actions.map((action) => `sqs:${action}`),
      resources: Object.values(queues).map(({ queueArn }) => queueArn),
    };
    fn.addToRolePolicy(new PolicyStatement(statement));
  }

  /**
   * Lambda's poller receives and deletes messages with the function's role. The condition denies both to the code of the
   * function, which may only postpone the message that it was given and cannot receive those of other callers.
   * https://docs.aws.amazon.com/lambda/latest/dg/permissions-source-function-arn.html
   */
  private feed(fn: ServiceFunction, queue: Queue, variable: EnvironmentVariable, maxConcurrency: number): void {
    fn.setEnvironment(variable, queue.queueUrl);
    const resources = [queue.queueArn];
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
        resources,
        conditions: { Null: { "lambda:SourceFunctionArn": "true" } },
      }),
    );
    fn.addToRolePolicy(new PolicyStatement({ actions: ["sqs:ChangeMessageVisibility"], resources }));
    // The id that CDK's own event source would have (which grants more): with another id, a deployment would create a
    // second mapping of the queue to the function before it deletes the first, and Lambda allows one.
    new EventSourceMapping(fn, `SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
      target: fn.target,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
      reportBatchItemFailures: true,
      ...concurrencyOf(maxConcurrency),
    });
  }
}

/** How an event source starts at most so many executions at once. Throws a RangeError for more than Lambda's pollers can. */
function concurrencyOf(
  executions: number,
): Pick<EventSourceMappingOptions, "maxConcurrency" | "provisionedPollerConfig"> {
  if (executions <= MAX_POLLED_CONCURRENCY) return { maxConcurrency: executions };
  const maximumPollers = Math.ceil(executions / EXECUTIONS_PER_POLLER);
  if (maximumPollers <= MAX_POLLERS) return { provisionedPollerConfig: { minimumPollers: 2, maximumPollers } };
  const most = MAX_POLLERS * EXECUTIONS_PER_POLLER;
  throw new RangeError(
    `A queue's function can have ${most} executions at once, not ${executions}. Use another stage for the rest.`,
  );
}
