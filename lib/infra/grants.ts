// Grants on tables by the name of each action: CDK's own grants give more than their names say.
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";

export interface ItemGrant {
  /** Actions without their service, such as `GetItem`. */
  readonly actions: readonly string[];

  /**
   * Patterns of which the partition key of every item touched must match one.
   * @default - items of any partition
   */
  readonly leadingKeys?: readonly string[];
}

/**
 * Lets a function touch items of a table, but not of its indexes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function grantItems(fn: IFunction, table: ITable, { actions, leadingKeys }: ItemGrant): void {
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [table.tableArn],
      ...(leadingKeys !== undefined && {
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": leadingKeys } },
      }),
    }),
  );
}
