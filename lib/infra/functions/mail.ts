// The permission of functions to send e-mail by Amazon SES.
import { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { StageConfig } from "../stages.ts";
import type { ServiceFunction } from "./service-function.ts";

/** Lets a function send e-mail from the stage's address. SES checks the identity of the address or that of its domain. */
export function grantSendMail(fn: ServiceFunction, { mail }: StageConfig): void {
  if (!mail) return;
  fn.setEnvironment("MAIL_FROM", mail.from);
  const domain = mail.from.slice(mail.from.lastIndexOf("@") + 1);
  const identity = (name: string) => `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${name}`;
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ["ses:SendEmail"],
      resources: [identity(mail.from), identity(domain)],
      conditions: { StringEquals: { "ses:FromAddress": mail.from } },
    }),
  );
}
