// The rules of EventBridge in a template that invoke functions again and again.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-events-rule.html
import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface ScheduledRule {
  readonly logicalId: string;
  readonly functionArn: string;
  readonly everyMs: number;
}

export const ruleTypes = ["AWS::Events::Rule"];

interface RuleProperties {
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly { readonly Arn: string }[];
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 60 * 60_000 };

/** Throws `LocalServiceError` for a rule without a rate in minutes or hours. */
export function readRules(resources: readonly Resource[]): ScheduledRule[] {
  return resources
    .filter(({ type }) => ruleTypes.includes(type))
    .flatMap(({ logicalId, properties }) => {
      const { ScheduleExpression = "", State = "ENABLED", Targets = [] } = properties as RuleProperties;
      const [, count, unit = ""] = /^rate\((\d+) (minute|hour)s?\)$/.exec(ScheduleExpression) ?? [];
      if (count === undefined)
        throw new LocalServiceError(
          `The local runner plays rules with a rate in minutes or hours, which ${logicalId} is not.`,
        );
      const everyMs = Number(count) * (UNIT_MS[unit] ?? 0);
      if (State !== "ENABLED") return [];
      return Targets.map(({ Arn: functionArn }) => ({ logicalId, functionArn, everyMs }));
    });
}
