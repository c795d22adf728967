// The right to assume the roles that callers make for their own storage.
import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";

/**
 * Lets a function assume roles that trust it. Those of its own account are left out, because many of them, such as the
 * ones that deploy, trust whoever the account lets; one that names the function's role as its principal needs no leave.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-basics-single-account.html
 */
export function grantAssumeRoles(fn: IFunction): void {
  const ofThisAccount = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/*`;
  fn.addToRolePolicy(new PolicyStatement({ actions: ["sts:AssumeRole"], notResources: [ofThisAccount] }));
}
