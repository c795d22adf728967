// The permission of functions to send e-mail by Amazon SES.
import { Aws, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { StageConfig } from "../stages.ts";
import type { ServiceFunction } from "./service-function.ts";

/**
 * Lets a function send e-mail from the stage's address. SES checks the identities of the sender, and that of a recipient which
 * is an identity of the same account, as every recipient of an account in the sandbox is.
 */
export function grantSendMail(fn: ServiceFunction, { mail }: StageConfig): void {
  if (!mail) return;
  fn.setEnvironment("MAIL_FROM", mail.from);
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ["ses:SendEmail"],
      resources: [`arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/*`],
      conditions: { StringEquals: { "ses:FromAddress": mail.from } },
    }),
  );
  Validations.of(fn.stack).acknowledge({
    id: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]",
    reason: "Recipients can be identities of the account. The condition allows one sender only.",
  });
}
