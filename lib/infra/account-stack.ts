// The stack of settings that an AWS account has once per region. All stages deploy the same one, and none removes it.
import { RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { CfnAccount } from "aws-cdk-lib/aws-apigateway";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";

/**
 * The role with which API Gateway writes access logs. Each stage with a role of its own would overwrite the setting of the
 * others, and the first one that is deleted would end their logs.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
export class AccountStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, { description: "Settings of the region that all stages share", ...props });
    const role = new Role(this, "ApiLogRole", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName("service-role/AmazonAPIGatewayPushToCloudWatchLogs")],
    });
    const account = new CfnAccount(this, "ApiAccount", { cloudWatchRoleArn: role.roleArn });
    // APIs of other stacks may use the setting, once it has been made.
    for (const resource of [role, account]) resource.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      reason: "The log role serves all APIs of the account, and AWS made this policy for it.",
    });
  }
}
