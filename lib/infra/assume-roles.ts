// The right to assume the roles that callers make for their own storage.
import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { SESSION_NAME } from "../customer-storage/assume-role.ts";

/**
 * Roles that tools make in other accounts of the same owner. They trust a whole account, this one where things are
 * administered from it, and may do nearly everything.
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_accounts_access-cross-account-role.html
 */
const ADMINISTRATIVE = [
  "OrganizationAccountAccessRole",
  "AWSControlTowerExecution",
  "AWSCloudFormationStackSetExecutionRole",
  "cdk-*",
];

/**
 * Lets a function assume roles that trust it, under one session name, by which it is known in the logs of their owners.
 * Those of its own account are left out, because many of them, such as the ones that deploy, trust whoever the account
 * lets; one that names the function's role as its principal needs no leave. So are those by which accounts are
 * administered.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-basics-single-account.html
 */
export function grantAssumeRoles(fn: IFunction): void {
  const role = (account: string, name: string) => `arn:${Aws.PARTITION}:iam::${account}:role/${name}`;
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ["sts:AssumeRole"],
      notResources: [role(Aws.ACCOUNT_ID, "*"), ...ADMINISTRATIVE.map((name) => role("*", name))],
      conditions: { StringEquals: { "sts:RoleSessionName": SESSION_NAME } },
    }),
  );
}
