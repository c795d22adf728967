// Credentials for a customer's bucket: assumes the customer's IAM role with an external id and a session policy for one
// object.
import { AssumeRoleCommand } from "@aws-sdk/client-sts";
import { untilAborted } from "../../engine/egress/until-aborted.ts";
import { sts } from "../aws/clients/sts.ts";
import { ExpiringSet } from "../platform/expiring-set.ts";
import { isRoleDenied, roleWithoutExternalId, toRoleError } from "./storage-errors.ts";

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

interface Role {
  readonly roleArn: string;
  readonly externalId: string;
}

/**
 * Assumes a role with credentials that can only write one object. Throws `STORAGE_FAILED` when the role's trust policy
 * denies it, or doesn't require the external ID: then any account that knows the role could write through it.
 */
export async function assumeRole(role: Role, { bucket, key, signal }: WriteTarget): Promise<RoleCredentials> {
  const isChecked = requiringRoles.has(role.roleArn);
  try {
    if (!isChecked && (await isAssumableWithoutId(role, signal))) throw roleWithoutExternalId(role.externalId);
    const credentials = await requestCredentials(role, sessionPolicy(role.roleArn, bucket, key), signal);
    // Only now: a role that doesn't trust the service at all denies the attempt without the external ID, too.
    if (!isChecked) requiringRoles.add(role.roleArn);
    return credentials;
  } catch (error) {
    throw toRoleError(error);
  }
}

/** Roles whose trust policies were found to require the external ID. */
const requiringRoles = new ExpiringSet({ maxEntries: 1_000, lifetimeMs: 10 * 60_000 });

/**
 * Tries to assume the role without the external ID, for a session that can do nothing.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
async function isAssumableWithoutId({ roleArn }: Role, signal: AbortSignal): Promise<boolean> {
  try {
    await requestCredentials({ roleArn }, DENY_ALL, signal);
    return true;
  } catch (error) {
    if (isRoleDenied(error)) return false;
    throw error;
  }
}

async function requestCredentials(
  { roleArn, externalId }: { readonly roleArn: string; readonly externalId?: string },
  policy: object,
  signal: AbortSignal,
): Promise<RoleCredentials> {
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    ...(externalId !== undefined && { ExternalId: externalId }),
    RoleSessionName: SESSION_NAME,
    DurationSeconds: SESSION_S,
    Policy: JSON.stringify(policy),
  });
  const { Credentials: issued } = await untilAborted(sts().send(command, { abortSignal: signal }), signal);
  if (!issued?.AccessKeyId || !issued.SecretAccessKey || !issued.SessionToken)
    throw new Error("STS returned no credentials.");
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = issued;
  return { accessKeyId, secretAccessKey, sessionToken };
}

const DENY_ALL = { Version: "2012-10-17", Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] };

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
