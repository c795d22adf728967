// The permission to assume the roles that customers create for their own storage.
import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { SESSION_NAME } from "../../service/customer-storage/assume-role.ts";

/**
 * Roles that AWS tools create in member accounts of an organization. They trust the whole management account, which may
 * be this one, and may do nearly everything.
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_accounts_access-cross-account-role.html
 */
const ADMINISTRATIVE_ROLES = [
  "OrganizationAccountAccessRole",
  "AWSControlTowerExecution",
  "AWSCloudFormationStackSetExecutionRole",
  "cdk-*",
];

/**
 * Lets a function assume roles that trust it, under one session name, by which the owners of the roles recognize it in
 * CloudTrail. Excluded are roles of its own account, because many of them, such as those that deploy, trust the whole
 * account (one that names the function's role as its principal needs no permission here), and administrative roles.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-basics-single-account.html
 */
export function grantAssumeRoles(fn: IFunction): void {
  const role = (account: string, name: string) => `arn:${Aws.PARTITION}:iam::${account}:role/${name}`;
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ["sts:AssumeRole"],
      notResources: [role(Aws.ACCOUNT_ID, "*"), ...ADMINISTRATIVE_ROLES.map((name) => role("*", name))],
      conditions: { StringEquals: { "sts:RoleSessionName": SESSION_NAME } },
    }),
  );
}
