// What IAM judges of a call to KMS: an action on a key, with the encryption context.
// https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html
import type { AccessRequest } from "../evaluate.ts";
import { type AwsCall, accessRequest, parseJson, targetOperation, UnreadableCall } from "./aws-call.ts";

interface KeyInput {
  readonly KeyId?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

/** KMS reads the key of a ciphertext from it; the service names it besides, by its ARN. */
export function readKmsCall(call: AwsCall): AccessRequest[] {
  const { KeyId = "", EncryptionContext = {} } = parseJson<KeyInput>(call);
  if (!KeyId.startsWith("arn:")) throw new UnreadableCall("it does not name its key by an ARN");
  const { purpose } = EncryptionContext;
  const context = purpose === undefined ? {} : { "kms:EncryptionContext:purpose": [purpose] };
  return [accessRequest(`kms:${targetOperation(call)}`, KeyId, context)];
}
