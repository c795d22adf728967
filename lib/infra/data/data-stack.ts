// The stateful stack of a stage: tables, bucket and queues, which survive a replacement of everything else.
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { StaticEgress } from "../network/static-egress.ts";
import type { StageConfig } from "../stages.ts";
import { AccountsTable } from "./accounts-table.ts";
import { ActivityTable } from "./activity-table.ts";
import { JobQueues } from "./job-queues.ts";
import { ResultsBucket } from "./results-bucket.ts";
import { UsageTable } from "./usage-table.ts";

export interface DataStackProps extends StackProps {
  readonly stage: StageConfig;
}

/** Tables, bucket and queues. Each grants narrow access to itself and sets the environment variable that names it. */
export interface ServiceData {
  readonly accounts: AccountsTable;
  readonly usage: UsageTable;
  readonly activity: ActivityTable;
  readonly results: ResultsBucket;
  readonly queues: JobQueues;
  /** The network of functions that reach pages; undefined in a stage whose addresses may change. */
  readonly egress: StaticEgress | undefined;
}

/** The operator's commands find the data by the outputs of this stack. */
export class DataStack extends Stack implements ServiceData {
  readonly accounts: AccountsTable;
  readonly usage: UsageTable;
  readonly activity: ActivityTable;
  readonly results: ResultsBucket;
  readonly queues: JobQueues;
  readonly egress: StaticEgress | undefined;

  constructor(scope: Construct, id: string, { stage, ...props }: DataStackProps) {
    super(scope, id, { terminationProtection: stage.protectsData, ...props });

    this.accounts = new AccountsTable(this, "Accounts", { stage });
    this.usage = new UsageTable(this, "Usage", { stage });
    this.activity = new ActivityTable(this, "Activity", { stage });
    this.results = new ResultsBucket(this, "Results", { stage });
    this.queues = new JobQueues(this, "Queues", { stage });
    this.egress = stage.staticEgress && new StaticEgress(this, "Egress", { stage, ...stage.staticEgress });

    this.exportAll();

    new CfnOutput(this, "AccountsTable", { value: this.accounts.table.tableName });
    new CfnOutput(this, "SecretsKey", { value: this.accounts.secretsKey.keyArn });
    new CfnOutput(this, "UsageTable", { value: this.usage.table.tableName });
    new CfnOutput(this, "ActivityTable", { value: this.activity.table.tableName });
    new CfnOutput(this, "ResultsBucket", { value: this.results.bucket.bucketName });
    new CfnOutput(this, "RenderQueue", { value: this.queues.render.queueUrl });
    new CfnOutput(this, "FailedRenders", { value: this.queues.failedRenders.queueUrl });
    new CfnOutput(this, "WebhookQueue", { value: this.queues.webhook.queueUrl });
    new CfnOutput(this, "AccountDataQueue", { value: this.queues.accountData.queueUrl });
    new CfnOutput(this, "WebhookDeadLetters", { value: this.queues.webhookDeadLetters.queueUrl });
  }

  /**
   * Exports what functions can use, whether or not one does. CDK exports what the service stack imports; as soon as a setting or
   * a new version no longer imports a value, this stack would remove the export, which CloudFormation refuses while the service
   * stack, which is deployed after it, still imports it.
   */
  private exportAll(): void {
    for (const { table } of [this.accounts, this.usage, this.activity]) {
      this.exportValue(table.tableName);
      this.exportValue(table.tableArn);
    }
    this.exportValue(this.accounts.secretsKey.keyArn);
    this.exportValue(this.results.bucket.bucketName);
    this.exportValue(this.results.bucket.bucketArn);
    for (const { queueName, queueUrl, queueArn } of this.queues.all) {
      for (const value of [queueName, queueUrl, queueArn]) this.exportValue(value);
    }
    this.exportValue(this.queues.webhookSchedules.group.ref);
    this.exportValue(this.queues.webhookSchedules.role.roleArn);
  }
}
