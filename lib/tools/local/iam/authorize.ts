// Decides on one call to AWS: who signed it, what it does, and whether the signer's role allows that.
import type { CredentialStore } from "./credentials.ts";
import type { AccessRequest } from "./evaluate.ts";
import type { Permissions } from "./permissions.ts";
import type { AwsService, Denial, Refusal } from "./refusal.ts";
import { type AwsCall, localArn, type ReadCall, UnreadableCall } from "./requests/aws-call.ts";
import { readDynamoDbCall } from "./requests/dynamodb.ts";
import { readKmsCall } from "./requests/kms.ts";
import { readLambdaCall } from "./requests/lambda.ts";
import { readAbsence, readS3Call } from "./requests/s3.ts";
import { readSchedulerCall } from "./requests/scheduler.ts";
import { readSesCall } from "./requests/ses.ts";
import { readSqsCall } from "./requests/sqs.ts";
import { readStsCall } from "./requests/sts.ts";
import { isSignatureExpired, isSignedWith, type Signature } from "./signature.ts";

/** A call that a role does not allow. */
export interface DeniedCall extends Denial {
  readonly functionName: string;
  /** Partition keys, of DynamoDB alone. */
  readonly leadingKeys: readonly string[];
}

export interface AccessVerdict {
  /** Undefined for a call that may reach the engine. */
  readonly refusal?: Refusal;
  /** Set where the role lacks the permission, not where the signature is wrong. */
  readonly denied?: DeniedCall;
  /** The response in place of "not found", where the role may not learn that. */
  readonly absence?: Refusal;
}

export interface Authority {
  readonly credentials: CredentialStore;
  readonly permissions: Permissions;
}

const readers: Readonly<Record<AwsService, ReadCall>> = {
  dynamodb: readDynamoDbCall,
  kms: readKmsCall,
  lambda: readLambdaCall,
  s3: readS3Call,
  scheduler: readSchedulerCall,
  ses: readSesCall,
  sqs: readSqsCall,
  sts: readStsCall,
};

/** Whether the runner can judge calls to a service, by its name in signatures. */
export function isJudged(service: string): service is AwsService {
  return Object.hasOwn(readers, service);
}

/** Judges a call. `body` is empty where `needsBody` is false. Never throws. */
export function judgeCall(
  call: AwsCall,
  signature: Signature | undefined,
  { credentials, permissions }: Authority,
): AccessVerdict {
  if (!signature) return { refusal: { kind: "unsigned" } };
  const caller = credentials.find(signature.accessKeyId);
  if (!caller || caller.credentials.sessionToken !== signature.sessionToken)
    return { refusal: { kind: "unknown-key" } };
  if (!isSignedWith(caller.credentials.secretAccessKey, signature, call))
    return { refusal: { kind: "wrong-signature" } };
  if (isSignatureExpired(signature, Date.now())) return { refusal: { kind: "expired" } };

  const { functionName } = caller;
  const denialOf = (requests: readonly AccessRequest[]) => findDenial(functionName, requests, permissions);
  const [, , service] = signature.scope;
  try {
    if (!isJudged(service)) throw new UnreadableCall(`no local engine plays ${service}`);
    const denied = denialOf(readers[service](call, permissions.resources));
    if (denied) return { refusal: { kind: "denied", ...denied }, denied };
    const absence = service === "s3" ? denialOf(readAbsence(call, permissions.resources)) : undefined;
    return absence ? { absence: { kind: "denied", ...absence } } : {};
  } catch (error) {
    if (!(error instanceof UnreadableCall)) throw error;
    const reason = `because the local runner cannot judge the call: ${error.message}`;
    const principal = permissions.principal(functionName);
    const denied = { functionName, principal, action: `${service}:?`, resource: "?", leadingKeys: [], reason };
    return { refusal: { kind: "denied", ...denied }, denied };
  }
}

/** The first of these requests that is not allowed. */
function findDenial(
  functionName: string,
  requests: readonly AccessRequest[],
  permissions: Permissions,
): DeniedCall | undefined {
  // https://docs.aws.amazon.com/lambda/latest/dg/permissions-source-function-arn.html
  const source = { "lambda:SourceFunctionArn": [localArn("lambda", `function:${functionName}`)] };
  for (const { action, resource, context } of requests) {
    const decision = permissions.decide(functionName, { action, resource, context: { ...context, ...source } });
    if (decision.isAllowed) continue;
    const principal = permissions.principal(functionName);
    const leadingKeys = context["dynamodb:LeadingKeys"] ?? [];
    return { functionName, principal, action, resource, leadingKeys, reason: decision.reason };
  }
  return undefined;
}
