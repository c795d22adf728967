// The bucket of capture results, one key prefix per lifetime, with one grant for each kind of access.
import { Aws, Duration, Stack, Validations } from "aws-cdk-lib";
import { AnyPrincipal, Effect, type IGrantable, PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
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
import { internalPrefixes, type LifetimeClass, lifetimeClasses, STATUS_PREFIX } from "../../service/results/lifetime-class.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";

/** Patterns of the object keys that the stores write. A role is restricted to those that its function uses. */
const RESULTS = lifetimeClasses.map(({ name }) => `${name}/*`);
/** Facts of large captures (size, format, metadata), stored next to them. */
const FACTS = lifetimeClasses.map(({ name }) => `${name}/*.facts`);
const OPTIONS = [`${internalPrefixes.options.name}/*`];
const THUMBNAILS = [`${internalPrefixes.thumbnails.name}/*`];
const EXPORTS = [`${internalPrefixes.exports.name}/*`];
const RENDERINGS = [`${internalPrefixes.renderings.name}/*`];
const STATUS = `${STATUS_PREFIX}/*`;
const RESPONSES = [`${internalPrefixes.answers.name}/*`];

/** Large objects are uploaded in parts, and a failed upload is aborted. */
const PUT_ACTIONS = ["s3:PutObject", "s3:AbortMultipartUpload"];

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
      cors: [anyOriginMayRead],
      lifecycleRules: [...[...lifetimeClasses, ...Object.values(internalPrefixes)].map(expiry), abandonedUploads],
      // CloudFormation deletes only an empty bucket. CDK could empty it first, but with a function that may delete
      // anything in it at any time. Emptying the bucket of a disposable stage by hand is safer.
      removalPolicy: stage.removalPolicy,
    });
    this.bucket.addToResourcePolicy(denyOverwrites(this.bucket));

    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Results are only reached through the storage function, whose requests are logged. Server access logs would " +
        "add nothing but the query strings of presigned links.",
    });
  }

  /** Lets the function store results of any lifetime, and their thumbnails. */
  grantStore(fn: ServiceFunction): void {
    this.grant(fn, PUT_ACTIONS, RESULTS);
    this.grant(fn, ["s3:PutObject"], THUMBNAILS);
  }

  /** Lets the function read thumbnails. */
  grantReadThumbnails(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"], THUMBNAILS);
  }

  /** Lets the function read results, and presign their URLs, which have the permissions of the signer. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"], RESULTS);
  }

  /** Lets the function read the facts of results, but not the results. */
  grantReadFacts(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"], FACTS);
  }

  /** Lets the function read files of exports, and presign their URLs. */
  grantReadExports(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject"], EXPORTS);
  }

  /** Lets the function write files of exports in parts, and delete them. */
  grantWriteExports(fn: ServiceFunction): void {
    this.grant(fn, [...PUT_ACTIONS, "s3:GetObject", "s3:DeleteObject"], EXPORTS);
  }

  /** Lets the function delete results, thumbnails, and stored responses before they expire. */
  grantDelete(fn: ServiceFunction): void {
    this.grant(fn, ["s3:DeleteObject"], [...RESULTS, ...THUMBNAILS, ...RESPONSES]);
  }

  /** Lets the function delete results that it has stored, but couldn't record. */
  grantDiscard(fn: ServiceFunction): void {
    this.grant(fn, ["s3:DeleteObject"], RESULTS);
  }

  /** Lets the function store the options of a job, and delete them when the job could not be queued. */
  grantWriteOptions(fn: ServiceFunction): void {
    this.grant(fn, ["s3:PutObject", "s3:DeleteObject"], OPTIONS);
  }

  /** Lets the function read the options of its jobs and delete them. */
  grantTakeOptions(fn: ServiceFunction): void {
    this.grant(fn, ["s3:GetObject", "s3:DeleteObject"], OPTIONS);
  }

  /**
   * Lets the function write, read, and delete what passes between it and its renderer, and presign their addresses, which have the
   * permissions of the signer.
   */
  grantTransferRenderings(fn: ServiceFunction): void {
    this.grant(fn, [...PUT_ACTIONS, "s3:GetObject", "s3:DeleteObject"], RENDERINGS);
  }

  /** Lets the function store its responses, repeat them for the same `Idempotency-Key`, and delete one whose capture was deleted meanwhile. */
  grantRepeatResponses(fn: ServiceFunction): void {
    this.grant(fn, [...PUT_ACTIONS, "s3:GetObject", "s3:DeleteObject"], RESPONSES);
  }

  /** Lets the function write the objects of the status page. */
  grantPublishStatus(fn: ServiceFunction): void {
    this.grant(fn, ["s3:PutObject"], [STATUS]);
  }

  /** Lets a role of API Gateway read the objects of the status page, and nothing else. */
  grantServeStatus(role: Role): void {
    this.grantTo(role, ["s3:GetObject"], [STATUS]);
  }

  private grant(fn: ServiceFunction, actions: string[], patterns: readonly string[]): void {
    fn.setEnvironment("RESULTS_BUCKET", this.bucket.bucketName);
    this.grantTo(fn, actions, patterns);
  }

  private grantTo(grantee: IGrantable & Construct, actions: string[], patterns: readonly string[]): void {
    // Exported here instead of by CDK during synth, because the finding below is named after the export.
    const bucketArn = Stack.of(this).exportValue(this.bucket.bucketArn);
    const { "Fn::ImportValue": exportName } = Stack.of(this).resolve(bucketArn);

    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions,
        resources: patterns.map((pattern) => `${bucketArn}/${pattern}`),
        // Bucket names are global: after the bucket is deleted, another account can create one of the same name.
        conditions: { StringEquals: { "aws:ResourceAccount": Aws.ACCOUNT_ID } },
      }),
    );
    Validations.of(Stack.of(grantee)).acknowledge(
      ...patterns.map((pattern) => ({
        id: `AwsSolutions-IAM5[Resource::${exportName}/${pattern}]`,
        reason: "The names of objects are random and not known beforehand; their prefixes and the actions are named.",
      })),
    );
  }
}

/**
 * Denies overwriting objects, so that the content behind a link never changes; the status page is overwritten by design. A multipart upload states the condition
 * `If-None-Match` when it completes; its parts cannot.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
function denyOverwrites(bucket: Bucket): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ["s3:PutObject"],
    notResources: [bucket.arnForObjects(STATUS)],
    conditions: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
  });
}

/** Pages of any origin may read a large result. A link redirects to its object, and the presigned URL is the authorization. */
const anyOriginMayRead: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedOrigins: ["*"],
  allowedHeaders: ["If-None-Match", "If-Range", "Range"],
  exposedHeaders: ["Accept-Ranges", "Content-Disposition", "Content-Range", "ETag"],
  maxAge: 86_400,
};

/** One day longer than the lifetime of the class: S3 counts whole days from the midnight after the upload. */
function expiry({ name, days }: LifetimeClass): LifecycleRule {
  return { id: `expire-${name}`, prefix: `${name}/`, expiration: Duration.days(days + 1) };
}

/** Parts of an incomplete upload are not listed, but are billed until they are aborted. */
const abandonedUploads: LifecycleRule = {
  id: "abort-incomplete-uploads",
  abortIncompleteMultipartUploadAfter: Duration.days(1),
};
