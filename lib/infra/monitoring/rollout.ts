// Rollouts: CodeDeploy shifts the alias of each function to its new version, in two steps or at once, and back on an alarm.
import { type CfnResource, Stack, Validations } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { PreTrafficFunction } from "../features/pre-traffic.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { RolloutSettings as RolloutMode, StageConfig } from "../stages.ts";

export interface RolloutProps {
  readonly stage: StageConfig;
  readonly data: ServiceData;
  readonly mode: Exclude<RolloutMode, "direct">;
  /** Those without an alias are replaced directly. */
  readonly functions: readonly ServiceFunction[];
  /** Each of them stops a gradual deployment and takes it back. */
  readonly alarms: readonly Alarm[];
}

const PRE_TRAFFIC_HOOK = "UpdatePolicy.CodeDeployLambdaAliasUpdate.BeforeAllowTrafficHook";

/**
 * `gradual`: a hook invokes each new version before it gets traffic; then a tenth of the invocations go to it for 15 minutes,
 * since most alarms look at ten. CloudFormation waits for all functions, whose deployments run at the same time, and rolls the
 * whole stack back when one of them is taken back.
 *
 * `all-at-once`: the same resources, without hook and alarms. They stay, because the update of an alias is the deployment that
 * needs them: a role that is created in the same update has its permissions when CloudFormation says so, or seconds later.
 */
export class Rollout extends Construct {
  constructor(scope: Construct, id: string, { stage, data, mode, functions, alarms }: RolloutProps) {
    super(scope, id);
    const applicationName = Stack.of(this).stackName;
    const application = new LambdaApplication(this, "Application", { applicationName });
    const versioned = functions.filter(({ alias }) => alias !== undefined);
    const hook = new PreTrafficFunction(scope, "PreTraffic", { stage, data, applicationName, functions: versioned });
    const role = this.role(versioned, hook);
    for (const { alias, node } of versioned) {
      if (!alias) continue;
      const group = new LambdaDeploymentGroup(this, node.id, {
        application,
        deploymentGroupName: node.id, // by which the hook recognizes the function
        alias,
        role: role.withoutPolicyUpdates(), // CDK would add AWS's policy, which is about every function of the account
        ...(mode === "gradual"
          ? { deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES, alarms: [...alarms] }
          : { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE }),
      });
      // CDK's own `preHook` lets the hook's role name the group, which comes after CodeDeploy's role, which names the hook.
      const resource = alias.node.defaultChild as CfnResource;
      if (mode === "gradual") resource.addOverride(PRE_TRAFFIC_HOOK, hook.functionName);
      // The update of the alias is the deployment, which needs the permissions of the role, and the hook.
      group.node.addDependency(role);
      alias.node.addDependency(group, hook);
    }
  }

  /** CodeDeploy moves the aliases of these functions, reads alarms, and invokes the hook. */
  private role(functions: readonly ServiceFunction[], hook: ServiceFunction): Role {
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("codedeploy.amazonaws.com") });
    role.addToPolicy(
      new PolicyStatement({
        actions: ["lambda:GetAlias", "lambda:GetProvisionedConcurrencyConfig", "lambda:UpdateAlias"],
        // No reference to the aliases: CloudFormation would update them first, and so deploy before the role may.
        resources: functions.flatMap(({ functionArn, alias }) => [functionArn, `${functionArn}:${alias?.aliasName}`]),
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [hook.functionArn] }));
    // As in AWS's own policy for CodeDeploy. AWS doesn't say by which resource it asks for alarms, and reading them is all that this allows.
    role.addToPolicy(new PolicyStatement({ actions: ["cloudwatch:DescribeAlarms"], resources: ["*"] }));
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "CodeDeploy only reads alarms, and AWS doesn't say by which names it asks for them.",
    });
    return role;
  }
}
