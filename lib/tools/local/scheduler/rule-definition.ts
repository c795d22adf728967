// The rules of EventBridge in a template that invoke functions again and again.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-events-rule.html
import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface ScheduledRule {
  readonly functionArn: string;
  readonly everyMs: number;
}

export const ruleTypes = ["AWS::Events::Rule"];

interface RuleProperties {
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly { readonly Arn: string }[];
}

/** Throws `LocalServiceError` for a rule without a rate in minutes. */
export function readRules(resources: readonly Resource[]): ScheduledRule[] {
  return resources
    .filter(({ type }) => ruleTypes.includes(type))
    .flatMap(({ logicalId, properties }) => {
      const { ScheduleExpression = "", State = "ENABLED", Targets = [] } = properties as RuleProperties;
      const minutes = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression)?.[1];
      if (minutes === undefined)
        throw new LocalServiceError(`The local runner plays rules with a rate in minutes, which ${logicalId} is not.`);
      if (State !== "ENABLED") return [];
      return Targets.map(({ Arn: functionArn }) => ({ functionArn, everyMs: Number(minutes) * 60_000 }));
    });
}
