// What all tables of the service have in common: string keys, on-demand billing, the stage's protection.
import { AttributeType, Billing, type TablePropsV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { StageConfig } from "./stages.ts";

export interface ServiceTableProps extends Partial<TablePropsV2> {
  readonly stage: StageConfig;
}

/** A table with the keys `pk` and `sk`. Adding a replica later is possible because it is a TableV2 from the start. */
export class ServiceTable extends TableV2 {
  constructor(scope: Construct, id: string, { stage, ...props }: ServiceTableProps) {
    super(scope, id, {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billing: Billing.onDemand(),
      removalPolicy: stage.removalPolicy,
      deletionProtection: stage.protectsData,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.protectsData },
      resourcePolicy: onlyWithTls(),
      ...props,
    });
  }
}

/** DynamoDB takes plain http, too. In the policy of a table, every resource is that table. */
function onlyWithTls(): PolicyDocument {
  const statement = new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ["dynamodb:*"],
    resources: ["*"],
    conditions: { Bool: { "aws:SecureTransport": "false" } },
  });
  return new PolicyDocument({ statements: [statement] });
}
