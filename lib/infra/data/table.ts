// What the tables of the service have in common: string keys, on-demand billing, the stage's protection, narrow grants.
import { Lazy, RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, type TablePropsV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";

export interface ServiceTableProps extends Partial<TablePropsV2> {
  readonly stage: StageConfig;
}

export interface ItemGrant {
  /** Actions without their service, such as `GetItem`. */
  readonly actions: readonly string[];

  /** Patterns of partition keys. The partition key of every item that the function touches must match one of them. */
  readonly leadingKeys: readonly string[];
}

/**
 * A table with the keys `pk` and `sk`. A replica in another region can only stand by: where two regions write, the last writer wins, so
 * that counters lose counts, and a transaction holds in its own region.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
 */
export class ServiceTable extends TableV2 {
  readonly #granted = new Map<ServiceFunction, Map<string, Set<string>>>();

  constructor(scope: Construct, id: string, { stage, ...props }: ServiceTableProps) {
    super(scope, id, {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billing: Billing.onDemand(),
      // CloudFormation can't delete a protected table, not even to roll its creation back.
      removalPolicy: stage.protectsData ? RemovalPolicy.RETAIN : stage.removalPolicy,
      deletionProtection: stage.protectsData,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.protectsData },
      resourcePolicy: denyWithoutTls(),
      ...props,
    });
  }

  /**
   * Lets a function touch items of this table, but not of its indexes. CDK's own grants allow more actions than their
   * names say, and no condition on keys.
   *
   * All grants of an action to a function make one statement: DynamoDB hands IAM the partition keys of a whole batch at
   * once, and would be denied where each statement allows only some of them. AWS doesn't say whether an item of a transaction is judged by
   * its own key or by all keys that the transaction has in the table. So the actions with which a transaction writes share their keys.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  grantItems(fn: ServiceFunction, { actions, leadingKeys }: ItemGrant): void {
    for (const action of actions) {
      const keys = this.#grantedKeys(fn, action);
      for (const key of leadingKeys) keys.add(key);
    }
  }

  /** The patterns of partition keys that are granted for this action of the function; adds the statement. */
  #grantedKeys(fn: ServiceFunction, action: string): Set<string> {
    const granted = this.#granted.get(fn) ?? new Map<string, Set<string>>();
    this.#granted.set(fn, granted);
    const known = granted.get(action);
    if (known) return known;
    const keys = new Set<string>();
    granted.set(action, keys);
    const allowed = () =>
      WRITING_ACTIONS.has(action)
        ? [...granted].flatMap(([name, own]) => (WRITING_ACTIONS.has(name) ? [...own] : []))
        : [...keys];
    const leadingKeys = Lazy.list({ produce: () => [...new Set(allowed())].toSorted() });
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: [this.tableArn],
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": leadingKeys } },
      }),
    );
    return keys;
  }
}

/** Those of transactions. */
const WRITING_ACTIONS: ReadonlySet<string> = new Set(["PutItem", "UpdateItem", "DeleteItem"]);

/** DynamoDB accepts plain HTTP, too. In the policy of a table, `*` stands for that table. */
function denyWithoutTls(): PolicyDocument {
  const statement = new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ["dynamodb:*"],
    resources: ["*"],
    conditions: { Bool: { "aws:SecureTransport": "false" } },
  });
  return new PolicyDocument({ statements: [statement] });
}
