// Gradual deployments: CodeDeploy shifts the alias of each function to the new version in two steps, and back on an alarm.
import { Aws, Stack, Validations } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { ServiceFunction } from "../functions/service-function.ts";

export interface GradualRolloutProps {
  readonly functions: readonly ServiceFunction[];
  /** Each of them stops a deployment and takes it back. */
  readonly alarms: readonly Alarm[];
}

/**
 * A tenth of the invocations go to the new version for 15 minutes: the alarms look at ten. CloudFormation waits for all
 * functions, whose deployments run at the same time, and rolls the whole stack back when one of them is taken back.
 */
export class GradualRollout extends Construct {
  constructor(scope: Construct, id: string, { functions, alarms }: GradualRolloutProps) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application", { applicationName: Stack.of(this).stackName });
    const role = this.role(functions);
    for (const { alias, node } of functions) {
      if (!alias) continue;
      new LambdaDeploymentGroup(this, node.id, {
        application,
        alias,
        alarms: [...alarms],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
        role: role.withoutPolicyUpdates(), // CDK would add AWS's policy, which is about every function of the account
      });
    }
  }

  /** CodeDeploy moves the aliases of these functions and reads alarms. */
  private role(functions: readonly ServiceFunction[]): Role {
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("codedeploy.amazonaws.com") });
    role.addToPolicy(
      new PolicyStatement({
        actions: ["lambda:GetAlias", "lambda:GetProvisionedConcurrencyConfig", "lambda:UpdateAlias"],
        resources: functions.flatMap(({ functionArn, target }) => [functionArn, target.functionArn]),
      }),
    );
    // DescribeAlarms for a resource other than `*` returns no composite alarms, of which there are none.
    const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:*`;
    role.addToPolicy(new PolicyStatement({ actions: ["cloudwatch:DescribeAlarms"], resources: [alarms] }));
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:*]",
      reason: "CodeDeploy only reads alarms, and AWS doesn't say by which names it asks for them.",
    });
    return role;
  }
}
