// Alarms with their runbook, the topic that receives them, the dashboard, and the budget of a stage.
import { Stack, Validations } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription, LambdaSubscription, UrlSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import { type AlarmDefinition, alarmDefinitions, type Watched } from "./alarm-definitions.ts";
import { ServiceDashboard } from "./dashboard.ts";

export class Monitoring extends Construct {
  /** Those that stop a gradual rollout. */
  readonly rolloutAlarms: readonly Alarm[];

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { stage, api } = watched;
    const topic = this.topic(stage);
    const runbook = `${api.baseUrl}/docs/operations`;
    const definitions = alarmDefinitions(watched);
    const alarms = definitions.map((definition) => this.alarm(definition, { stage, topic, runbook }));
    this.rolloutAlarms = alarms.filter((_, index) => definitions[index]?.guardsRollout);
    new ServiceDashboard(this, "Dashboard", { ...watched, alarms });
    if (stage.monthlyBudget !== undefined) {
      this.budget(
        stage.monthlyBudget,
        topic,
        stage.pausesTrialsAboveBudget ? this.guardTopic(watched.budgetGuard) : undefined,
      );
    }
  }

  private alarm(
    { name, severity, meaning, metric, threshold, periods, firesBelow = false }: AlarmDefinition,
    { stage, topic, runbook }: { readonly stage: StageConfig; readonly topic: Topic; readonly runbook: string },
  ): Alarm {
    const alarm = new Alarm(this, name, {
      alarmName: `screen-capture-${stage.name}-${name}`,
      alarmDescription: `${severity}: ${meaning} Runbook: ${runbook}#alarm-${name}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: firesBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: firesBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return alarm;
  }

  private topic({ alarms: { email, webhook } }: StageConfig): Topic {
    const topic = new Topic(this, "Topic", { displayName: "Screen capture alarms", enforceSSL: true });
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    if (webhook !== undefined) topic.addSubscription(new UrlSubscription(webhook));
    topic.grantPublish(new ServicePrincipal("cloudwatch.amazonaws.com"));
    return topic;
  }

  /** Only the budget sends to it, and only when its limit is exceeded. */
  private guardTopic(budgetGuard: ServiceFunction): Topic {
    const topic = new Topic(this, "BrakeTopic", { displayName: "Screen capture budget is used up", enforceSSL: true });
    topic.grantPublish(new ServicePrincipal("budgets.amazonaws.com"));
    topic.addSubscription(new LambdaSubscription(budgetGuard));
    Validations.of(budgetGuard).acknowledge({
      id: "Annotation::@aws-cdk/aws-lambda:addPermissionsToVersionOrAlias",
      reason: "SNS invokes the function itself: the budget guard needs no gradual rollout.",
    });
    return topic;
  }

  /** Of the whole AWS account: costs are known by tag only where the account's owner activates the tag for billing. */
  private budget(dollars: number, topic: Topic, guard: Topic | undefined): void {
    topic.grantPublish(new ServicePrincipal("budgets.amazonaws.com"));
    const subscribers = [{ subscriptionType: "SNS", address: topic.topicArn }];
    const comparisonOperator = "GREATER_THAN";
    new CfnBudget(this, "Budget", {
      budget: {
        budgetName: `${Stack.of(this).stackName}-monthly`,
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: dollars, unit: "USD" },
      },
      notificationsWithSubscribers: [
        { notification: { notificationType: "ACTUAL", comparisonOperator, threshold: 80 }, subscribers },
        { notification: { notificationType: "FORECASTED", comparisonOperator, threshold: 100 }, subscribers },
        ...(guard
          ? [
              {
                notification: { notificationType: "ACTUAL", comparisonOperator, threshold: 100 },
                subscribers: [{ subscriptionType: "SNS", address: guard.topicArn }],
              },
            ]
          : []),
      ],
    });
  }
}
