// Credentials for a customer's bucket: assumes the customer's IAM role with an external id and a session policy for one
// object.
import { AssumeRoleCommand } from "@aws-sdk/client-sts";
import { sts } from "../aws/clients/sts.ts";
import { toRoleError } from "./storage-errors.ts";

export interface RoleCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Role session name, which customers see in their CloudTrail. */
export const SESSION_NAME = "screen-capture";

/** Shortest session that STS issues, in seconds. */
const SESSION_S = 900;

interface WriteTarget {
  readonly bucket: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * Assumes a role with credentials that can only write one object. Throws `STORAGE_FAILED` when the role's trust policy
 * denies it.
 */
export async function assumeRole(
  { roleArn, externalId }: { readonly roleArn: string; readonly externalId: string },
  { bucket, key, signal }: WriteTarget,
): Promise<RoleCredentials> {
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    ExternalId: externalId,
    RoleSessionName: SESSION_NAME,
    DurationSeconds: SESSION_S,
    Policy: JSON.stringify(sessionPolicy(roleArn, bucket, key)),
  });
  try {
    const { Credentials: issued } = await sts().send(command, { abortSignal: signal });
    if (!issued?.AccessKeyId || !issued.SecretAccessKey || !issued.SessionToken)
      throw new Error("STS returned no credentials.");
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = issued;
    return { accessKeyId, secretAccessKey, sessionToken };
  } catch (error) {
    throw toRoleError(error);
  }
}

/** Buckets with SSE-KMS need the two KMS actions. Wildcards in the key are escaped. */
function sessionPolicy(roleArn: string, bucket: string, key: string) {
  const [, partition] = roleArn.split(":");
  const object = `arn:${partition}:s3:::${bucket}/${key.replace(/[*?$]/g, (character) => `\${${character}}`)}`;
  return {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["s3:PutObject", "s3:PutObjectAcl"], Resource: object },
      { Effect: "Allow", Action: ["kms:GenerateDataKey", "kms:Decrypt"], Resource: "*" },
    ],
  };
}
