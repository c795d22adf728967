// The bucket of capture results, one key prefix per lifetime, and who may do what with it.
import { Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, type LifecycleRule } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { type LifetimeClass, lifetimeClasses } from "../results/expiry.ts";
import type { ServiceFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

export interface ResultsBucketProps {
  readonly stage: StageConfig;
}

export class ResultsBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { stage }: ResultsBucketProps) {
    super(scope, id);
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      cors: [{ allowedMethods: [HttpMethods.GET, HttpMethods.HEAD], allowedOrigins: ["*"] }],
      lifecycleRules: [...lifetimeClasses.map(expiry), abandonedUploads],
      // CloudFormation deletes only an empty bucket. CDK could empty it first, but by a function that may delete
      // anything in it at any time; emptying a disposable stage by hand is the smaller evil.
      removalPolicy: stage.removalPolicy,
    });

    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Results are only reached through the storage function, whose requests are logged. Server access logs would " +
        "add nothing but the query strings of presigned links.",
    });
  }

  /** Lets the function store results of any lifetime, in one piece or in parts. */
  grantWrite(fn: ServiceFunction): void {
    this.grant(fn, ["s3:PutObject", "s3:AbortMultipartUpload"]);
  }

  /** Lets the function sign links to results; a link can do no more than who signed it. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"]);
  }

  /** Lets the function delete results before their time. */
  grantDelete(fn: ServiceFunction): void {
    this.grant(fn, ["s3:DeleteObject"]);
  }

  private grant(fn: ServiceFunction, actions: string[]): void {
    // Exported here and not by CDK during synth, because the finding below is named after the export.
    const bucketArn = Stack.of(this).exportValue(this.bucket.bucketArn);
    const { "Fn::ImportValue": exportName } = Stack.of(this).resolve(bucketArn);

    fn.provide("RESULTS_BUCKET", this.bucket.bucketName);
    fn.addToRolePolicy(new PolicyStatement({ actions, resources: [`${bucketArn}/*`] }));
    Validations.of(fn.stack).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${exportName}/*]`,
      reason: "All objects of the bucket are results, their names are not known beforehand, and the actions are named.",
    });
  }
}

/** A day longer than the class promises: S3 counts whole days from the midnight after the upload. */
function expiry({ name, days }: LifetimeClass): LifecycleRule {
  return { id: `expire-${name}`, prefix: `${name}/`, expiration: Duration.days(days + 1) };
}

/** Parts of an upload that was never completed are invisible, but are billed until they are aborted. */
const abandonedUploads: LifecycleRule = {
  id: "abort-incomplete-uploads",
  abortIncompleteMultipartUploadAfter: Duration.days(1),
};
