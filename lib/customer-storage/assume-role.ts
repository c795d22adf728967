// The right to write into a caller's bucket, by a role that they let the service assume.
import { AssumeRoleCommand } from "@aws-sdk/client-sts";
import { sts } from "../aws/clients/sts.ts";
import { toRoleError } from "./storage-errors.ts";

export interface RoleCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The name by which the service is known in the logs of those whose roles it assumes. */
export const SESSION_NAME = "screen-capture";

/** The shortest time that AWS gives out. */
const SESSION_S = 900;

interface Writing {
  readonly bucket: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * Credentials that may write one object, whatever else the role may do. Throws `STORAGE_FAILED` where its trust policy does
 * not allow that.
 */
export async function assumeRole(
  { roleArn, externalId }: { readonly roleArn: string; readonly externalId: string },
  { bucket, key, signal }: Writing,
): Promise<RoleCredentials> {
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    ExternalId: externalId,
    RoleSessionName: SESSION_NAME,
    DurationSeconds: SESSION_S,
    Policy: JSON.stringify(sessionPolicy(roleArn, bucket, key)),
  });
  try {
    const { Credentials: given } = await sts().send(command, { abortSignal: signal });
    if (!given?.AccessKeyId || !given.SecretAccessKey || !given.SessionToken)
      throw new Error("STS gave no credentials.");
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = given;
    return { accessKeyId, secretAccessKey, sessionToken };
  } catch (error) {
    throw toRoleError(error);
  }
}

/** A bucket that encrypts with a key of its own needs the two actions of KMS. Wildcards in the key are meant as they are. */
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
