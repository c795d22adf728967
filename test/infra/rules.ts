// Rules that hold for every stage, each beside what it is there to find.
import { type Resource, readable } from "./synthesized.ts";

/** The resources of both stacks of a stage, by their logical ids. */
export type Resources = Record<string, Resource>;

export interface Rule {
  readonly rule: string;
  /** What breaks it, for people to read. */
  readonly offenders: (all: Resources) => readonly string[];
  /** Changes that break it. */
  readonly careless: Readonly<Record<string, (all: Resources) => void>>;
}

const BROWSERS = ["Screenshot", "Render"];
const IN_BROWSERS = new RegExp(`^(${BROWSERS.join("|")})Role`);

/** Actions that are asked for items by their partition keys, which is what the condition on these keys relies on. */
const BY_KEY = ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query"];

export const rules: readonly Rule[] = [
  {
    rule: "roles allow what they name, and nothing they do not",
    offenders: (all) =>
      statementsIn(all)
        .filter(({ actions }) => !actions.every((action) => /^\w+:\w+$/.test(action)))
        .map(told),
    careless: { "every action": (all) => allow(all, { Action: "s3:Get*", Resource: "arn:aws:s3:::bucket/1-day/*" }) },
  },
  {
    rule: "roles do to tables only what names a partition: nothing is listed, scanned or asked for in batches",
    offenders: (all) =>
      about(all, "dynamodb")
        .filter(({ actions }) => !actions.every((action) => BY_KEY.includes(nameOf(action))))
        .map(told),
    careless: {
      "a scan": (all) => allow(all, { ...items("Scan", "CACHE#*") }),
      "a query in another language": (all) => allow(all, { ...items("PartiQLSelect", "CACHE#*") }),
      "a table that is described": (all) => allow(all, { ...items("DescribeTable", "CACHE#*") }),
    },
  },
  {
    rule: "roles are held to named partitions of each table",
    offenders: (all) =>
      about(all, "dynamodb")
        .filter(({ condition }) => {
          const keys = condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
          return keys === undefined || ![keys].flat().every((key) => /^[A-Z]+#/.test(key));
        })
        .map(told),
    careless: {
      "every partition": (all) =>
        allow(all, { Action: "dynamodb:GetItem", Resource: "arn:aws:dynamodb:::table/Usage" }),
      "partitions of every name": (all) => allow(all, { ...items("GetItem", "*") }),
      "one of them of every name": (all) => allow(all, { ...items("GetItem", "CACHE#*", "*") }),
    },
  },
  {
    rule: "roles are held to tables, not to their indexes",
    offenders: (all) =>
      about(all, "dynamodb")
        .filter(({ affected }) => affected.some((each) => each.includes("index")))
        .map(told),
    careless: {
      "an index": (all) =>
        allow(all, { ...items("Query", "LOG#*"), Resource: "arn:aws:dynamodb:::table/Usage/index/*" }),
    },
  },
  {
    rule: "roles list nothing in the bucket, and change nothing of it",
    offenders: (all) =>
      about(all, "s3")
        .filter(
          ({ actions }) =>
            !actions.every((action) => /^(Get|Put|Delete)Object$|^AbortMultipartUpload$/.test(nameOf(action))),
        )
        .map(told),
    careless: {
      "a list": (all) => allow(all, { ...objects("ListBucket", "1-day/*") }),
      "another lifecycle": (all) => allow(all, { ...objects("PutLifecycleConfiguration", "1-day/*") }),
      "older versions": (all) => allow(all, { ...objects("GetObjectVersion", "1-day/*") }),
    },
  },
  {
    rule: "roles are held to named prefixes of the bucket",
    offenders: (all) =>
      about(all, "s3")
        .filter(({ affected }) => !affected.every((each) => /^<Results>\/[\w-]+\/\*(\.facts)?$/.test(each)))
        .map(told),
    careless: { "all objects": (all) => allow(all, { ...objects("GetObject", "*") }) },
  },
  {
    rule: "roles use the bucket only while this account has it",
    offenders: (all) =>
      about(all, "s3")
        .filter(
          ({ condition }) => readableOrNone(condition["StringEquals"]?.["aws:ResourceAccount"]) !== "<AWS::AccountId>",
        )
        .map(told),
    careless: {
      "a bucket of whomever": (all) => allow(all, { ...objects("GetObject", "1-day/*"), Condition: {} }),
    },
  },
  {
    rule: "everything that is put into the bucket is swept out of it",
    offenders: (all) => {
      const swept = ofType(all, "AWS::S3::Bucket").flatMap(([, { Properties }]) =>
        Properties.LifecycleConfiguration.Rules.map(({ Prefix }: { Prefix?: string }) => `<Results>/${Prefix}*`),
      );
      const putting = about(all, "s3").filter(({ actions }) => actions.includes("s3:PutObject"));
      return putting.filter(({ affected }) => !affected.every((each) => swept.includes(each))).map(told);
    },
    careless: { "a prefix for ever": (all) => allow(all, { ...objects("PutObject", "for-ever/*") }) },
  },
  {
    rule: "the code of a function fetches no messages: they are other callers'",
    offenders: (all) =>
      about(all, "sqs")
        .filter(({ actions }) =>
          actions.some((action) => !["SendMessage", "ChangeMessageVisibility"].includes(nameOf(action))),
        )
        .filter(({ condition }) => condition["Null"]?.["lambda:SourceFunctionArn"] !== "true")
        .map(told),
    careless: {
      "a fetch": (all) => allow(all, { Action: "sqs:ReceiveMessage", Resource: "arn:aws:sqs:::queue" }),
      "a purge": (all) => allow(all, { Action: "sqs:PurgeQueue", Resource: "arn:aws:sqs:::queue" }),
    },
  },
  {
    rule: "where Chromium runs, no result is deleted",
    offenders: (all) =>
      about(all, "s3", IN_BROWSERS)
        .filter(({ actions }) => actions.some((action) => /Delete/.test(action)))
        .filter(({ affected }) => !affected.every((each) => each === "<Results>/options/*"))
        .map(told),
    careless: { "a result": (all) => allow(all, { ...objects("DeleteObject", "1-day/*") }) },
  },
  {
    rule: "where Chromium runs, nothing is written about who may call, and no secret",
    offenders: (all) =>
      about(all, "dynamodb", IN_BROWSERS)
        .filter(({ affected }) => affected.includes("<Accounts>"))
        .filter(({ actions }) => !actions.every((action) => action === "dynamodb:GetItem"))
        .map(told),
    careless: {
      "a secret of one's own": (all) => allow(all, { ...items("PutItem", "SECRET#result-links"), Resource: ACCOUNTS }),
    },
  },
  {
    rule: "where Chromium runs, accounts and their keys are not read, but who presents one",
    offenders: (all) =>
      about(all, "dynamodb", IN_BROWSERS)
        .filter(({ affected }) => affected.includes("<Accounts>"))
        .filter(({ condition }) => {
          const keys = [condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"]].flat();
          return !keys.every((key) => ["CALLER#*", "LINK#*", "SECRET#result-links"].includes(String(key)));
        })
        .map(told),
    careless: { "an account": (all) => allow(all, { ...items("GetItem", "ACCOUNT#*"), Resource: ACCOUNTS }) },
  },
  {
    rule: "where Chromium runs, what is logged and counted is not read, but how much is left",
    offenders: (all) =>
      about(all, "dynamodb", IN_BROWSERS)
        .filter(({ actions }) => actions.includes("dynamodb:Query"))
        .map(told),
    careless: { "the logs": (all) => allow(all, { ...items("Query", "LOG#*") }) },
  },
  {
    rule: "roles are taken by the services they are for, and by nobody else",
    offenders: (all) =>
      ofType(all, "AWS::IAM::Role").flatMap(([id, { Properties }]) =>
        Properties.AssumeRolePolicyDocument.Statement.filter(
          ({ Principal }: Resource["Properties"]) =>
            !/^\{"Service":"(lambda|apigateway)\.amazonaws\.com"\}$/.test(JSON.stringify(Principal)),
        ).map(() => id),
      ),
    careless: {
      "an account": (all) => {
        firstOf(all, "AWS::IAM::Role").AssumeRolePolicyDocument.Statement[0].Principal = { AWS: "arn:aws:iam::1:root" };
      },
    },
  },
  {
    rule: "roles have no policies that somebody else wrote, but API Gateway's for its log",
    offenders: (all) =>
      ofType(all, "AWS::IAM::Role")
        .flatMap(([id, { Properties }]) =>
          [Properties.ManagedPolicyArns ?? []].flat().map((arn) => `${id} ${readable(arn)}`),
        )
        .filter((each) => !/^ApiRestCloudWatchRole\w+ .*AmazonAPIGatewayPushToCloudWatchLogs$/.test(each)),
    careless: {
      "a policy of AWS": (all) => {
        firstOf(all, "AWS::IAM::Role").ManagedPolicyArns = ["arn:aws:iam::aws:policy/AWSLambdaExecute"];
      },
    },
  },
  {
    rule: "no function has an address of its own",
    offenders: (all) => ofType(all, "AWS::Lambda::Url").map(([id]) => id),
    careless: { "an address": (all) => Object.assign(all, { Careless: { Type: "AWS::Lambda::Url", Properties: {} } }) },
  },
  {
    rule: "functions are called by the API of their own stage only",
    offenders: (all) => {
      const [[api] = []] = ofType(all, "AWS::ApiGateway::RestApi");
      return ofType(all, "AWS::Lambda::Permission")
        .filter(
          ([, { Properties }]) =>
            Properties.Principal !== "apigateway.amazonaws.com" ||
            !readableOrNone(Properties.SourceArn).includes(`execute-api:<AWS::Region>:<AWS::AccountId>:<${api}>/`),
        )
        .map(([id]) => id);
    },
    careless: {
      "any API": (all) => delete firstOf(all, "AWS::Lambda::Permission").SourceArn,
      anybody: (all) => Object.assign(firstOf(all, "AWS::Lambda::Permission"), { Principal: "*" }),
    },
  },
  {
    rule: "no function has a secret in its environment",
    offenders: (all) =>
      ofType(all, "AWS::Lambda::Function").flatMap(([id, { Properties }]) =>
        Object.keys(Properties.Environment?.Variables ?? {})
          .filter((name) => /SECRET|TOKEN|PASSWORD|CREDENTIAL|(?<!_)KEY/.test(name))
          .map((name) => `${id} ${name}`),
      ),
    careless: {
      "a secret": (all) => {
        firstOf(all, "AWS::Lambda::Function").Environment = { Variables: { LINK_SECRET: "s3cret" } };
      },
    },
  },
  {
    rule: "tables are not reached without TLS",
    offenders: (all) =>
      ofType(all, "AWS::DynamoDB::GlobalTable")
        .filter(
          ([, { Properties }]) =>
            !Properties.Replicas.every((replica: Resource["Properties"]) =>
              refusesPlain(replica.ResourcePolicy?.PolicyDocument),
            ),
        )
        .map(([id]) => id),
    careless: {
      "a table": (all) => delete firstOf(all, "AWS::DynamoDB::GlobalTable").Replicas[0].ResourcePolicy,
    },
  },
  {
    rule: "queues are encrypted, and not reached without TLS",
    offenders: (all) =>
      ofType(all, "AWS::SQS::Queue")
        .filter(([id, { Properties }]) => {
          const policies = ofType(all, "AWS::SQS::QueuePolicy").filter(([, policy]) =>
            policy.Properties.Queues.some(({ Ref }: { Ref: string }) => Ref === id),
          );
          const isRefused = policies.some(([, policy]) => refusesPlain(policy.Properties.PolicyDocument));
          return Properties.SqsManagedSseEnabled !== true || !isRefused;
        })
        .map(([id]) => id),
    careless: {
      "a queue in the clear": (all) => Object.assign(firstOf(all, "AWS::SQS::Queue"), { SqsManagedSseEnabled: false }),
      "a queue without a policy": (all) => Object.assign(firstOf(all, "AWS::SQS::QueuePolicy"), { Queues: [] }),
    },
  },
  {
    rule: "queues and tables let nobody in by policies of their own",
    offenders: (all) =>
      [
        ...ofType(all, "AWS::SQS::QueuePolicy").map(([id, { Properties }]) => [id, Properties.PolicyDocument] as const),
        ...ofType(all, "AWS::DynamoDB::GlobalTable").map(
          ([id, { Properties }]) => [id, Properties.Replicas[0].ResourcePolicy?.PolicyDocument] as const,
        ),
      ]
        .filter(([, document]) => document?.Statement.some(({ Effect }: { Effect: string }) => Effect !== "Deny"))
        .map(([id]) => id),
    careless: {
      "another account": (all) => {
        firstOf(all, "AWS::SQS::QueuePolicy").PolicyDocument.Statement.push({
          Effect: "Allow",
          Principal: { AWS: "1" },
        });
      },
    },
  },
  {
    rule: "buckets know no other owner of an object, and encrypt it",
    offenders: (all) =>
      ofType(all, "AWS::S3::Bucket")
        .filter(
          ([, { Properties }]) =>
            Properties.OwnershipControls?.Rules[0].ObjectOwnership !== "BucketOwnerEnforced" ||
            !Properties.BucketEncryption,
        )
        .map(([id]) => id),
    careless: {
      "owners of objects": (all) => delete firstOf(all, "AWS::S3::Bucket").OwnershipControls,
      "no encryption": (all) => delete firstOf(all, "AWS::S3::Bucket").BucketEncryption,
    },
  },
  {
    rule: "the API takes no TLS below 1.2, keeps no answers, logs no requests, and has a limit",
    offenders: (all) => [
      ...ofType(all, "AWS::ApiGateway::RestApi")
        .filter(
          ([, { Properties }]) =>
            !/^SecurityPolicy_TLS13_1_[23]_/.test(Properties.SecurityPolicy) ||
            Properties.EndpointAccessMode !== "STRICT",
        )
        .map(([id]) => `${id} TLS`),
      ...ofType(all, "AWS::ApiGateway::Stage").flatMap(([id, { Properties }]) => [
        ...(Properties.CacheClusterEnabled ? [`${id} cache`] : []),
        ...(Properties.TracingEnabled ? [`${id} traces`] : []),
        ...Properties.MethodSettings.flatMap((settings: Resource["Properties"]) => [
          ...(settings.CachingEnabled ? [`${id} cache`] : []),
          ...(settings.LoggingLevel !== "OFF" || settings.DataTraceEnabled ? [`${id} log`] : []),
          ...(settings.ThrottlingRateLimit > 0 && settings.ThrottlingBurstLimit > 0 ? [] : [`${id} limit`]),
        ]),
      ]),
    ],
    careless: {
      "old TLS": (all) => delete firstOf(all, "AWS::ApiGateway::RestApi").SecurityPolicy,
      "a cache": (all) => Object.assign(firstOf(all, "AWS::ApiGateway::Stage"), { CacheClusterEnabled: true }),
      "a cache of a method": (all) =>
        Object.assign(firstOf(all, "AWS::ApiGateway::Stage").MethodSettings[0], { CachingEnabled: true }),
      "a log": (all) =>
        Object.assign(firstOf(all, "AWS::ApiGateway::Stage").MethodSettings[0], { LoggingLevel: "INFO" }),
      "no limit": (all) => delete firstOf(all, "AWS::ApiGateway::Stage").MethodSettings[0].ThrottlingRateLimit,
    },
  },
];

interface Statement {
  readonly id: string;
  readonly actions: readonly string[];
  readonly affected: readonly string[];
  readonly condition: Record<string, Record<string, string>>;
}

/** What the roles of functions are allowed. */
function statementsIn(all: Resources): Statement[] {
  return ofType(all, "AWS::IAM::Policy").flatMap(([id, { Properties }]) =>
    Properties.PolicyDocument.Statement.map(
      ({ Action, Resource, NotResource, Condition = {} }: Resource["Properties"]) => ({
        id,
        actions: [Action].flat(),
        affected: NotResource === undefined ? [Resource].flat().map(readable) : ["*"],
        condition: Condition,
      }),
    ),
  );
}

function about(all: Resources, service: string, roles = /./): Statement[] {
  return statementsIn(all).filter(
    ({ id, actions }) => roles.test(id) && actions.some((action) => action.startsWith(`${service}:`)),
  );
}

function nameOf(action: string): string {
  return action.slice(action.indexOf(":") + 1);
}

function told({ id, actions, affected }: Statement): string {
  return `${id} ${actions} ${affected}`;
}

const ACCOUNTS = { "Fn::ImportValue": "stack:ExportsOutputRefAccountsTableF2DFB3F6" };
const RESULTS = { "Fn::ImportValue": "stack:ExportsOutputFnGetAttResultsBucket46167C27Arn" };

function items(action: string, ...keys: readonly string[]) {
  return {
    Action: `dynamodb:${action}`,
    Resource: "arn:aws:dynamodb:::table/Activity",
    Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys } },
  };
}

function objects(action: string, pattern: string) {
  return {
    Action: `s3:${action}`,
    Resource: { "Fn::Join": ["", [RESULTS, `/${pattern}`]] },
    Condition: { StringEquals: { "aws:ResourceAccount": { Ref: "AWS::AccountId" } } },
  };
}

/** Gives one more right to a function that runs Chromium. */
function allow(all: Resources, statement: object): void {
  const [, policy] = ofType(all, "AWS::IAM::Policy").find(([id]) => IN_BROWSERS.test(id)) ?? [];
  policy?.Properties.PolicyDocument.Statement.push({ Effect: "Allow", ...statement });
}

function refusesPlain(document: Resource["Properties"]): boolean {
  return (document?.Statement ?? []).some(
    ({ Effect, Action, Condition }: Resource["Properties"]) =>
      Effect === "Deny" && /:\*$/.test(Action) && Condition?.Bool?.["aws:SecureTransport"] === "false",
  );
}

function readableOrNone(value: unknown): string {
  return value === undefined ? "" : readable(value);
}

function ofType(all: Resources, type: string): [string, Resource][] {
  return Object.entries(all).filter(([, { Type }]) => Type === type);
}

function firstOf(all: Resources, type: string): Resource["Properties"] {
  return ofType(all, type)[0]?.[1].Properties;
}
