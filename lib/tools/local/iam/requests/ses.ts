// What IAM judges of a call to SES.
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
import type { AccessRequest } from "../evaluate.ts";
import { type AwsCall, accessRequest, localArn, parseJson, UnreadableCall } from "./aws-call.ts";

interface SendEmailInput {
  readonly FromEmailAddress?: string;
}

/** The identity of the sender is its address; on AWS it may also be the domain. */
export function readSesCall(call: AwsCall): AccessRequest[] {
  if (`${call.method} ${call.url}` !== "POST /v2/email/outbound-emails") {
    throw new UnreadableCall(`the operation ${call.method} ${call.url} is unknown`);
  }
  const { FromEmailAddress = "" } = parseJson<SendEmailInput>(call);
  const address = /<([^<>]*)>$/.exec(FromEmailAddress)?.[1] ?? FromEmailAddress;
  return [accessRequest("ses:SendEmail", localArn("ses", `identity/${address}`), { "ses:FromAddress": [address] })];
}
