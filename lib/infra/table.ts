// What all tables of the service have in common: string keys, on-demand billing, the stage's protection.
import { AttributeType, Billing, type TablePropsV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
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
      ...props,
    });
  }
}
