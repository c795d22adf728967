// The one-time schedules that send messages to the webhook queue later than SQS can: their group, and the role with which EventBridge
// Scheduler sends them.
import { Aws, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";

export interface WebhookSchedulesProps {
  readonly stage: StageConfig;
  /** The queue to which they send. */
  readonly queue: Queue;
  /** Keeps what Scheduler could not send in a day. */
  readonly deadLetters: Queue;
}

export class WebhookSchedules extends Construct {
  /** CDK's `ScheduleGroup` would have a fixed name, which a stage that is created again may find taken. */
  readonly group: CfnScheduleGroup;
  readonly role: Role;
  private readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { stage, queue, deadLetters }: WebhookSchedulesProps) {
    super(scope, id);
    this.deadLetters = deadLetters;
    this.group = new CfnScheduleGroup(this, "Group");
    this.group.applyRemovalPolicy(stage.removalPolicy);
    // The conditions keep other accounts from using the role by schedules of theirs.
    // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
    this.role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        conditions: {
          StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID, "aws:SourceArn": this.group.attrArn },
        },
      }),
    });
    this.role.addToPolicy(
      new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn, deadLetters.queueArn] }),
    );
  }

  /** Lets the function create schedules of the group, which send with the role and no other. */
  grantCreate(fn: ServiceFunction): void {
    fn.setEnvironment("WEBHOOK_SCHEDULE_GROUP", this.group.ref);
    fn.setEnvironment("WEBHOOK_SCHEDULE_ROLE_ARN", this.role.roleArn);
    fn.setEnvironment("WEBHOOK_DEAD_LETTER_QUEUE_ARN", this.deadLetters.queueArn);
    // Exported here instead of by CDK during synth, because the finding below is named after the export.
    const group = Stack.of(this).exportValue(this.group.ref);
    const { "Fn::ImportValue": exportName } = Stack.of(this).resolve(group);
    const schedules = `arn:${Aws.PARTITION}:scheduler:${Aws.REGION}:${Aws.ACCOUNT_ID}:schedule/${group}/*`;
    fn.addToRolePolicy(new PolicyStatement({ actions: ["scheduler:CreateSchedule"], resources: [schedules] }));
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["iam:PassRole"],
        resources: [this.role.roleArn],
        conditions: { StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" } },
      }),
    );
    Validations.of(fn.stack).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${exportName}/*]`,
      reason: "The group is that of the stage, and the name of a schedule follows from its webhook.",
    });
  }
}
