// The pre-traffic hook of a rollout: invokes the new version of each function before callers reach it, those that capture with captures
// of the service's own account.
import { Aws, Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";

export interface PreTrafficProps {
  readonly stage: StageConfig;
  readonly data: Pick<ServiceData, "accounts" | "activity">;
  /** Name of CodeDeploy's application, whose deployment groups have the ids of the functions as names. */
  readonly applicationName: string;
  /** Functions with versions. */
  readonly functions: readonly ServiceFunction[];
}

/** All functions share one hook; it finds out which one is deployed by the name of the deployment group. */
export class PreTrafficFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data, applicationName, functions }: PreTrafficProps) {
    // Longer than a cold start of the canary and its 60 seconds, in which the first attempt can be throttled.
    super(scope, id, { stage, file: "pre-traffic", timeout: Duration.minutes(3), isVersioned: false });
    const versions = functions.map((fn) => [fn.node.id, fn.currentVersion.functionArn]);
    data.accounts.grantCreateInternalKeys(this);
    data.activity.grantCreateInternalJobs(this);
    this.setEnvironment("TENANT_ISOLATION", stage.tenantIsolation ? "on" : "off");
    this.setEnvironment("NEW_VERSIONS", Stack.of(this).toJsonString(Object.fromEntries(versions)));

    // Every version: with the new one alone, the permission would be as young as the version when the hook needs it.
    const ofFunctions = functions.map(({ functionArn }) => `${functionArn}:*`);
    this.addToRolePolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: ofFunctions }));
    // By name: CodeDeploy's role refers to this function, and the groups come after the role.
    const groups = functions.map(
      ({ node }) =>
        `arn:${Aws.PARTITION}:codedeploy:${Aws.REGION}:${Aws.ACCOUNT_ID}:deploymentgroup:${applicationName}/${node.id}`,
    );
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ["codedeploy:GetDeployment", "codedeploy:PutLifecycleEventHookExecutionStatus"],
        resources: groups,
      }),
    );
    Validations.of(this.stack).acknowledge(
      ...functions.map((fn) => ({
        id: `AwsSolutions-IAM5[Resource::<${this.stack.getLogicalId(fn.node.defaultChild as never)}.Arn>:*]`,
        reason: "The hook invokes the version that is deployed, whose number isn't known beforehand.",
      })),
    );
  }
}
