// The clients of AWS, made once per function and only when they are used. What is marked as pure, a bundle leaves out with
// all its package where it is not used, which is half of a small function.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { STSClient } from "@aws-sdk/client-sts";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** DynamoDB with plain JavaScript values. Reads `AWS_ENDPOINT_URL_DYNAMODB` like every SDK. */
export const dynamodb = /* @__PURE__ */ once(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } }),
);

/**
 * S3. Checksums only where they are required: otherwise a presigned address carries the checksum of an empty body.
 * Path style, because an engine on loopback has no name per bucket, and AWS takes both.
 */
export const s3 = /* @__PURE__ */ once(
  () => new S3Client({ requestChecksumCalculation: "WHEN_REQUIRED", forcePathStyle: true }),
);

export const sqs = /* @__PURE__ */ once(() => new SQSClient({}));

export const sts = /* @__PURE__ */ once(() => new STSClient({}));

function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
