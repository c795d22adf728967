// The queues of captures to take and of webhooks to send, and who may do what with them.
import { Duration, Names } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption, type QueueProps } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { MAX_RENDER_RECEIVES } from "../jobs/job-queue.ts";
import type { EnvironmentVariable } from "../platform/environment.ts";
import { ATTEMPT_TIMEOUT_MS } from "../webhooks/webhook.ts";
import type { ServiceFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

/** Eight tries of a delivery; the others are for those that found no free slot, which wait longer each time. */
const WEBHOOK_RECEIVES = 100;

/** Lambda advises six times the function's timeout, here of the longer one. Functions shorten it for their messages. */
const RENDER_VISIBILITY = Duration.seconds(6 * 120);
const WEBHOOK_VISIBILITY = Duration.millis(6 * ATTEMPT_TIMEOUT_MS);

export interface JobQueuesProps {
  readonly stage: StageConfig;
}

export class JobQueues extends Construct {
  readonly render: Queue;
  readonly renderDeadLetters: Queue;
  private readonly webhook: Queue;
  private readonly stage: StageConfig;

  constructor(scope: Construct, id: string, { stage }: JobQueuesProps) {
    super(scope, id);
    this.stage = stage;
    this.renderDeadLetters = this.queue("RenderDeadLetters", { retentionPeriod: Duration.days(14) });
    this.render = this.queue("Render", {
      visibilityTimeout: RENDER_VISIBILITY,
      deadLetterQueue: { queue: this.renderDeadLetters, maxReceiveCount: MAX_RENDER_RECEIVES },
    });
    this.webhook = this.queue("Webhook", {
      visibilityTimeout: WEBHOOK_VISIBILITY,
      deadLetterQueue: {
        queue: this.queue("WebhookDeadLetters", { retentionPeriod: Duration.days(14) }),
        maxReceiveCount: WEBHOOK_RECEIVES,
      },
    });
  }

  /** Lets the function ask for captures. */
  grantSendRenders(fn: ServiceFunction): void {
    this.grantSend(fn, this.render, "RENDER_QUEUE_URL");
  }

  /** Lets the function ask for webhooks. */
  grantSendWebhooks(fn: ServiceFunction): void {
    this.grantSend(fn, this.webhook, "WEBHOOK_QUEUE_URL");
  }

  /** Hands the captures to the function, one at a time, which may put off the next try. */
  feedRenders(fn: ServiceFunction): void {
    this.feed(fn, this.render, "RENDER_QUEUE_URL", this.stage.jobConcurrency);
  }

  /** Hands the webhooks to the function, one at a time, which may put off the next try. */
  feedWebhooks(fn: ServiceFunction): void {
    this.feed(fn, this.webhook, "WEBHOOK_QUEUE_URL", this.stage.webhookConcurrency);
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
    fn.provide(variable, queue.queueUrl);
    fn.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }));
  }

  /**
   * Lambda fetches messages and deletes them by the function's role, but not from within the function: its code may only
   * put off the message it was given, and sees nobody else's.
   * https://docs.aws.amazon.com/lambda/latest/dg/permissions-source-function-arn.html
   */
  private feed(fn: ServiceFunction, queue: Queue, variable: EnvironmentVariable, maxConcurrency: number): void {
    fn.provide(variable, queue.queueUrl);
    const resources = [queue.queueArn];
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
        resources,
        conditions: { Null: { "lambda:SourceFunctionArn": "true" } },
      }),
    );
    fn.addToRolePolicy(new PolicyStatement({ actions: ["sqs:ChangeMessageVisibility"], resources }));
    // The name that CDK's own source would have, which grants more: under another one there would be two mappings of the
    // queue to the function while a deployment goes on, and Lambda takes one.
    fn.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
      eventSourceArn: queue.queueArn,
      batchSize: 1,
      reportBatchItemFailures: true,
      maxConcurrency,
    });
  }
}
