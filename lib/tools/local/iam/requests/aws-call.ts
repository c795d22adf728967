// A request to an AWS service, as the readers of this folder see it: each names the actions and resources that IAM judges.
import type { IncomingHttpHeaders } from "node:http";
import { ACCOUNT_ID, REGION } from "../../engines/client-options.ts";
import type { AccessRequest } from "../evaluate.ts";
import type { ConditionContext } from "../policy.ts";

export interface AwsCall {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty where `needsBody` of the service is false. */
  readonly body: Buffer;
}

/** What a template says about the resources that requests name. */
export interface KnownResources {
  /** Name of the partition key of a table or of its index; undefined for an unknown one. */
  partitionKey(table: string, index?: string): string | undefined;
  hasBucket(name: string): boolean;
}

/** Every request that IAM judges for a call. Throws `UnreadableCall`. */
export type ReadCall = (call: AwsCall, resources: KnownResources) => AccessRequest[];

/** A call that the local runner cannot judge: it is refused, and its reader has to learn it. */
export class UnreadableCall extends Error {}

/** A request with what is the same for all: functions reach AWS by TLS, though no local engine has it. */
export function accessRequest(action: string, resource: string, context: ConditionContext = {}): AccessRequest {
  return { action, resource, context: { "aws:SecureTransport": ["true"], ...context } };
}

/** The ARN of a resource in the account and region of the local service. */
export function localArn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;
}

/** The operation in the header `X-Amz-Target`, after the name of the service's version. */
export function targetOperation({ headers }: AwsCall): string {
  return String(headers["x-amz-target"] ?? "").replace(/^[^.]*\./, "");
}

export function parseJson<T>({ body }: AwsCall): T {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new UnreadableCall("the body is no JSON", { cause });
  }
}
