// What IAM judges of a call to SQS: an action on a queue.
import { ACCOUNT_ID, REGION } from "../../engines/client-options.ts";
import type { AccessRequest } from "../evaluate.ts";
import { type AwsCall, accessRequest, localArn, parseJson, targetOperation, UnreadableCall } from "./aws-call.ts";

interface QueueInput {
  readonly QueueUrl?: string;
  readonly QueueName?: string;
}

/** The permission for a batch is that of its single action. */
export function readSqsCall(call: AwsCall): AccessRequest[] {
  const { QueueUrl, QueueName } = parseJson<QueueInput>(call);
  const [account, name] = QueueUrl?.split("/").slice(-2) ?? [ACCOUNT_ID, QueueName];
  if (!account || !name) throw new UnreadableCall("it names no queue");
  const resource = account === ACCOUNT_ID ? localArn("sqs", name) : `arn:aws:sqs:${REGION}:${account}:${name}`;
  return [accessRequest(`sqs:${targetOperation(call).replace(/Batch$/, "")}`, resource)];
}
