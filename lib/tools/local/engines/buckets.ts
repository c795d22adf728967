// Creates the template's buckets in the local S3, with their lifecycle rules. Existing objects stay.
import {
  CreateBucketCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { Resource } from "../assembly/resources.ts";
import { clientOptions } from "./client-options.ts";

export async function createBuckets(buckets: readonly Resource[], endpoint: string): Promise<void> {
  const client = new S3Client({ ...clientOptions(endpoint), forcePathStyle: true });
  try {
    for (const { ref: Bucket, properties } of buckets) {
      await client.send(new CreateBucketCommand({ Bucket })).catch(ignoreOwned);
      const rules = (properties as BucketProperties).LifecycleConfiguration?.Rules ?? [];
      if (rules.length === 0) continue;
      const LifecycleConfiguration = { Rules: rules.map(toLifecycleRule) };
      await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
    }
  } finally {
    client.destroy();
  }
}

interface BucketProperties {
  readonly LifecycleConfiguration?: { readonly Rules: readonly TemplateRule[] };
}

/** CloudFormation and S3 use different property names for the same rules. */
interface TemplateRule {
  readonly Id?: string;
  readonly Prefix?: string;
  readonly Status: "Enabled" | "Disabled";
  readonly ExpirationInDays?: number;
  readonly AbortIncompleteMultipartUpload?: { readonly DaysAfterInitiation: number };
}

function toLifecycleRule(rule: TemplateRule): LifecycleRule {
  return {
    ID: rule.Id,
    Status: rule.Status,
    Filter: { Prefix: rule.Prefix ?? "" },
    ...(rule.ExpirationInDays !== undefined && { Expiration: { Days: rule.ExpirationInDays } }),
    ...(rule.AbortIncompleteMultipartUpload && { AbortIncompleteMultipartUpload: rule.AbortIncompleteMultipartUpload }),
  };
}

function ignoreOwned(error: Error): void {
  if (error.name !== "BucketAlreadyOwnedByYou" && error.name !== "BucketAlreadyExists") throw error;
}
