// The bucket of capture results, one key prefix per lifetime, and who may do what with it.
import { Aws, Duration, Stack, Validations } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  HttpMethods,
  type LifecycleRule,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { type LifetimeClass, lifetimeClasses, resultPrefixes } from "../results/expiry.ts";
import type { ServiceFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

/** Patterns of the objects that the stores write; a role is held to those that its function deals with. */
const RESULTS = lifetimeClasses.map(({ name }) => `${name}/*`);
/** What is known of large captures, beside them. */
const FACTS = lifetimeClasses.map(({ name }) => `${name}/*.facts`);
const OPTIONS = [`${resultPrefixes.options.name}/*`];
const ANSWERS = [`${resultPrefixes.answers.name}/*`];

/** Large objects are put in parts, and what came of a failed one is taken away. */
const PUTTING = ["s3:PutObject", "s3:AbortMultipartUpload"];

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
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      cors: [readableByPages],
      lifecycleRules: [...[...lifetimeClasses, ...Object.values(resultPrefixes)].map(expiry), abandonedUploads],
      // CloudFormation deletes only an empty bucket. CDK could empty it first, but by a function that may delete
      // anything in it at any time; emptying a disposable stage by hand is the smaller evil.
      removalPolicy: stage.removalPolicy,
    });
    this.bucket.addToResourcePolicy(onlyNewObjects(this.bucket));

    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Results are only reached through the storage function, whose requests are logged. Server access logs would " +
        "add nothing but the query strings of presigned links.",
    });
  }

  /** Lets the function store results of any lifetime. */
  grantStore(fn: ServiceFunction): void {
    this.grant(fn, PUTTING, RESULTS);
  }

  /** Lets the function read results, and sign addresses of theirs, which can do no more than who signed them. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"], RESULTS);
  }

  /** Lets the function see what is known of results, but not the results. */
  grantReadFacts(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"], FACTS);
  }

  /** Lets the function delete results before their time. */
  grantDelete(fn: ServiceFunction): void {
    this.grant(fn, ["s3:DeleteObject"], RESULTS);
  }

  /** Lets the function leave options for whoever takes a job, and take them back when there is none. */
  grantLeaveOptions(fn: ServiceFunction): void {
    this.grant(fn, ["s3:PutObject", "s3:DeleteObject"], OPTIONS);
  }

  /** Lets the function read the options of its jobs, and delete them. */
  grantTakeOptions(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject", "s3:DeleteObject"], OPTIONS);
  }

  /** Lets the function keep its answers, and repeat them. */
  grantRepeatAnswers(fn: ServiceFunction): void {
    this.grant(fn, [...PUTTING, "s3:GetObject"], ANSWERS);
  }

  private grant(fn: ServiceFunction, actions: string[], patterns: readonly string[]): void {
    // Exported here and not by CDK during synth, because the finding below is named after the export.
    const bucketArn = Stack.of(this).exportValue(this.bucket.bucketArn);
    const { "Fn::ImportValue": exportName } = Stack.of(this).resolve(bucketArn);

    fn.provide("RESULTS_BUCKET", this.bucket.bucketName);
    fn.addToRolePolicy(
      new PolicyStatement({
        actions,
        resources: patterns.map((pattern) => `${bucketArn}/${pattern}`),
        // The name of a bucket says nothing of its owner: once it is deleted, anybody may take it.
        conditions: { StringEquals: { "aws:ResourceAccount": Aws.ACCOUNT_ID } },
      }),
    );
    Validations.of(fn.stack).acknowledge(
      ...patterns.map((pattern) => ({
        id: `AwsSolutions-IAM5[Resource::${exportName}/${pattern}]`,
        reason: "The names of objects are random and not known beforehand; their prefixes and the actions are named.",
      })),
    );
  }
}

/**
 * Refuses to replace what is there: what is behind a link stays what it was, whoever has the right to store results. Parts
 * of an upload cannot say so; its completion does.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
function onlyNewObjects(bucket: Bucket): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ["s3:PutObject"],
    resources: [bucket.arnForObjects("*")],
    conditions: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
  });
}

/** A page of any site may read a large result, to whose object a link redirects: its presigned address is all it takes. */
const readableByPages: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedOrigins: ["*"],
  allowedHeaders: ["If-None-Match", "If-Range", "Range"],
  exposedHeaders: ["Accept-Ranges", "Content-Disposition", "Content-Range", "ETag"],
  maxAge: 86_400,
};

/** A day longer than the class promises: S3 counts whole days from the midnight after the upload. */
function expiry({ name, days }: LifetimeClass): LifecycleRule {
  return { id: `expire-${name}`, prefix: `${name}/`, expiration: Duration.days(days + 1) };
}

/** Parts of an upload that was never completed are invisible, but are billed until they are aborted. */
const abandonedUploads: LifecycleRule = {
  id: "abort-incomplete-uploads",
  abortIncompleteMultipartUploadAfter: Duration.days(1),
};
