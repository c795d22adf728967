// Security rules for the templates of every stage, each with violations that it must find.
import { type Resource, readable } from "./synthesized.ts";

/** The resources of both stacks of a stage, by their logical ids. */
export type Resources = Record<string, Resource>;

export interface Rule {
  readonly rule: string;
  /** Descriptions of the violations in a template. */
  readonly offenders: (all: Resources) => readonly string[];
  /** Changes of a template that violate the rule. */
  readonly violations: Readonly<Record<string, (all: Resources) => void>>;
}

const BROWSERS = ["Screenshot", "Render"];
const IN_BROWSERS = new RegExp(`^(${BROWSERS.join("|")})Role`);

/** Actions that name partition keys, on which the condition `dynamodb:LeadingKeys` relies; a batch of reads has all of them in one request. */
const BY_KEY = ["GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem", "Query"];

export const rules: readonly Rule[] = [
  {
    rule: "roles name each action, without wildcards",
    offenders: (all) =>
      statementsIn(all)
        .filter(({ actions }) => !actions.every((action) => /^\w+:\w+$/.test(action)))
        .map(describeStatement),
    violations: { "every action": (all) => allow(all, { Action: "s3:Get*", Resource: "arn:aws:s3:::bucket/1-day/*" }) },
  },
  {
    rule: "roles allow only table actions that name a partition: no list, scan or batch of writes",
    offenders: (all) =>
      about(all, "dynamodb")
        .filter(({ actions }) => !actions.every((action) => BY_KEY.includes(nameOf(action))))
        .map(describeStatement),
    violations: {
      "a scan": (all) => allow(all, { ...items("Scan", "CACHE#*") }),
      "a batch of writes": (all) => allow(all, { ...items("BatchWriteItem", "CACHE#*") }),
      "a PartiQL query": (all) => allow(all, { ...items("PartiQLSelect", "CACHE#*") }),
      "a description of a table": (all) => allow(all, { ...items("DescribeTable", "CACHE#*") }),
    },
  },
  {
    rule: "roles are restricted to named partitions of each table",
    offenders: (all) =>
      about(all, "dynamodb")
        .filter(({ condition }) => {
          const keys = condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
          return keys === undefined || ![keys].flat().every((key) => /^[A-Z]+#/.test(key));
        })
        .map(describeStatement),
    violations: {
      "every partition": (all) =>
        allow(all, { Action: "dynamodb:GetItem", Resource: "arn:aws:dynamodb:::table/Usage" }),
      "a wildcard partition": (all) => allow(all, { ...items("GetItem", "*") }),
      "a wildcard among partitions": (all) => allow(all, { ...items("GetItem", "CACHE#*", "*") }),
    },
  },
  {
    rule: "one statement of a role has all partitions of an action on a table, which IAM may get at once",
    offenders: (all) => {
      const grants = about(all, "dynamodb").flatMap(({ id, actions, affected }) =>
        actions.flatMap((action) => affected.map((table) => `${id} ${action} ${table}`)),
      );
      return grants.filter((grant, index) => grants.indexOf(grant) !== index);
    },
    violations: {
      "a partition in a statement of its own": (all) => {
        allow(all, { ...items("PutItem", "CACHE#*") });
        allow(all, { ...items("PutItem", "LOG#*") });
      },
    },
  },
  {
    rule: "roles allow no access to indexes",
    offenders: (all) =>
      about(all, "dynamodb")
        .filter(({ affected }) => affected.some((each) => each.includes("index")))
        .map(describeStatement),
    violations: {
      "an index": (all) =>
        allow(all, { ...items("Query", "LOG#*"), Resource: "arn:aws:dynamodb:::table/Usage/index/*" }),
    },
  },
  {
    rule: "roles neither list nor configure the bucket",
    offenders: (all) =>
      about(all, "s3")
        .filter(
          ({ actions }) =>
            !actions.every((action) => /^(Get|Put|Delete)Object$|^AbortMultipartUpload$/.test(nameOf(action))),
        )
        .map(describeStatement),
    violations: {
      "a list": (all) => allow(all, { ...objects("ListBucket", "1-day/*") }),
      "another lifecycle": (all) => allow(all, { ...objects("PutLifecycleConfiguration", "1-day/*") }),
      "older versions": (all) => allow(all, { ...objects("GetObjectVersion", "1-day/*") }),
    },
  },
  {
    rule: "roles are restricted to named prefixes of the bucket",
    offenders: (all) =>
      about(all, "s3")
        .filter(({ affected }) => !affected.every((each) => /^<Results>\/[\w-]+\/\*(\.facts)?$/.test(each)))
        .map(describeStatement),
    violations: { "all objects": (all) => allow(all, { ...objects("GetObject", "*") }) },
  },
  {
    rule: "roles use the bucket only while this account owns it",
    offenders: (all) =>
      about(all, "s3")
        .filter(
          ({ condition }) => readableOrNone(condition["StringEquals"]?.["aws:ResourceAccount"]) !== "<AWS::AccountId>",
        )
        .map(describeStatement),
    violations: {
      "a bucket of any owner": (all) => allow(all, { ...objects("GetObject", "1-day/*"), Condition: {} }),
    },
  },
  {
    rule: "every prefix that roles write to expires, except for that of the status page, which has few objects",
    offenders: (all) => {
      const swept = ofType(all, "AWS::S3::Bucket").flatMap(([, { Properties }]) =>
        Properties.LifecycleConfiguration.Rules.map(({ Prefix }: { Prefix?: string }) => `<Results>/${Prefix}*`),
      );
      const putting = about(all, "s3").filter(({ actions }) => actions.includes("s3:PutObject"));
      const kept = [...swept, "<Results>/status/*"];
      return putting.filter(({ affected }) => !affected.every((each) => kept.includes(each))).map(describeStatement);
    },
    violations: { "a prefix without expiry": (all) => allow(all, { ...objects("PutObject", "permanent/*") }) },
  },
  {
    rule: "the code of a function cannot receive messages of other callers, except for DeadLetters those of what failed",
    offenders: (all) =>
      about(all, "sqs")
        .filter(({ actions }) =>
          actions.some(
            (action) => !["SendMessage", "ChangeMessageVisibility", "GetQueueAttributes"].includes(nameOf(action)),
          ),
        )
        .filter(({ condition }) => condition["Null"]?.["lambda:SourceFunctionArn"] !== "true")
        .filter(
          ({ id, affected }) =>
            !id.startsWith("DeadLettersRole") ||
            !affected.every((each) => ["<QueuesFailedRenders>", "<QueuesWebhookDeadLetters>"].includes(each)),
        )
        .map(describeStatement),
    violations: {
      "a fetch": (all) => allow(all, { Action: "sqs:ReceiveMessage", Resource: "arn:aws:sqs:::queue" }),
      "a fetch of what failed": (all) => {
        const failed = { "Fn::ImportValue": "stack:ExportsOutputFnGetAttQueuesFailedRenders0A1B2C3DArn" };
        allow(all, { Action: "sqs:ReceiveMessage", Resource: failed });
      },
      "a purge": (all) => allow(all, { Action: "sqs:PurgeQueue", Resource: "arn:aws:sqs:::queue" }),
    },
  },
  {
    rule: "functions with Chromium cannot delete results, except for those of Render to which nothing refers, and stored responses",
    offenders: (all) =>
      about(all, "s3", IN_BROWSERS)
        .filter(({ id, actions }) => !id.startsWith("Render") && actions.some((action) => /Delete/.test(action)))
        .filter(
          ({ affected }) => !affected.every((each) => /^<Results>\/(?:answers|options|renderings)\/\*$/.test(each)),
        )
        .map(describeStatement),
    violations: { "a result": (all) => allow(all, { ...objects("DeleteObject", "1-day/*") }) },
  },
  {
    rule: "functions with Chromium cannot write API keys, accounts or secrets",
    offenders: (all) =>
      about(all, "dynamodb", IN_BROWSERS)
        .filter(({ affected }) => affected.includes("<Accounts>"))
        .filter(({ actions }) => !actions.every((action) => action === "dynamodb:GetItem"))
        .map(describeStatement),
    violations: {
      "a secret of one's own": (all) => allow(all, { ...items("PutItem", "SECRET#result-links"), Resource: ACCOUNTS }),
    },
  },
  {
    rule: "functions with Chromium can read the caller of a presented key or session, and webhook receivers without their secrets, but no accounts",
    offenders: (all) =>
      about(all, "dynamodb", IN_BROWSERS)
        .filter(({ affected }) => affected.includes("<Accounts>"))
        .filter(({ condition }) => {
          const keys = [condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"]].flat();
          return !keys.every((key) =>
            [
              ...["CALLER#*", "SESSIONS#*", "LINK#*", "RECEIVERS#*"],
              ...["SECRET#result-links", "SECRET#data-key-links"],
            ].includes(String(key)),
          );
        })
        .map(describeStatement),
    violations: {
      "an account": (all) => allow(all, { ...items("GetItem", "ACCOUNT#*"), Resource: ACCOUNTS }),
      "the data key of all secrets": (all) =>
        allow(all, { ...items("GetItem", "SECRET#data-key-stage"), Resource: ACCOUNTS }),
      "secrets of receivers": (all) => allow(all, { ...items("GetItem", "RECEIVERSECRETS#*"), Resource: ACCOUNTS }),
    },
  },
  {
    rule: "functions with Chromium can read the remaining quota and the counts of months, but no logs",
    offenders: (all) =>
      about(all, "dynamodb", IN_BROWSERS)
        .filter(({ actions }) => actions.includes("dynamodb:Query"))
        .filter(({ condition }) => {
          const keys = [condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"]].flat();
          return keys.some((key) => key !== "MONTHS#*");
        })
        .map(describeStatement),
    violations: { "the logs": (all) => allow(all, { ...items("Query", "LOG#*") }) },
  },
  {
    rule: "roles trust only the AWS service that uses them",
    offenders: (all) =>
      ofType(all, "AWS::IAM::Role").flatMap(([id, { Properties }]) =>
        Properties.AssumeRolePolicyDocument.Statement.filter(
          ({ Principal }: Resource["Properties"]) =>
            !/^\{"Service":"(lambda|codedeploy|scheduler|apigateway)\.amazonaws\.com"\}$/.test(
              JSON.stringify(Principal),
            ),
        ).map(() => id),
      ),
    violations: {
      "an account": (all) => {
        firstOf(all, "AWS::IAM::Role").AssumeRolePolicyDocument.Statement[0].Principal = { AWS: "arn:aws:iam::1:root" };
      },
    },
  },
  {
    rule: "roles have no managed policy",
    offenders: (all) =>
      ofType(all, "AWS::IAM::Role").flatMap(([id, { Properties }]) =>
        [Properties.ManagedPolicyArns ?? []].flat().map((arn) => `${id} ${readable(arn)}`),
      ),
    violations: {
      "a policy of AWS": (all) => {
        firstOf(all, "AWS::IAM::Role").ManagedPolicyArns = ["arn:aws:iam::aws:policy/AWSLambdaExecute"];
      },
    },
  },
  {
    rule: "no function has a function URL",
    offenders: (all) => ofType(all, "AWS::Lambda::Url").map(([id]) => id),
    violations: {
      "an address": (all) => Object.assign(all, { Violation: { Type: "AWS::Lambda::Url", Properties: {} } }),
    },
  },
  {
    rule: "only the API, the schedules, and the topics of the same stage can invoke functions",
    offenders: (all) => {
      const [[api] = []] = ofType(all, "AWS::ApiGateway::RestApi");
      const schedules = ofType(all, "AWS::Events::Rule").map(([id]) => `<${id}.Arn>`);
      const isOfApi = ({ Principal, SourceArn }: Resource["Properties"]) =>
        Principal === "apigateway.amazonaws.com" &&
        readableOrNone(SourceArn).includes(`execute-api:<AWS::Region>:<AWS::AccountId>:<${api}>/`);
      const isOfSchedule = ({ Principal, SourceArn }: Resource["Properties"]) =>
        Principal === "events.amazonaws.com" && schedules.includes(readableOrNone(SourceArn));
      const topics = ofType(all, "AWS::SNS::Topic").map(([id]) => `<${id}>`);
      const isOfTopic = ({ Principal, SourceArn }: Resource["Properties"]) =>
        Principal === "sns.amazonaws.com" && topics.includes(readableOrNone(SourceArn));
      return ofType(all, "AWS::Lambda::Permission")
        .filter(([, { Properties }]) => !isOfApi(Properties) && !isOfSchedule(Properties) && !isOfTopic(Properties))
        .map(([id]) => id);
    },
    violations: {
      "any API": (all) => delete firstOf(all, "AWS::Lambda::Permission").SourceArn,
      "any schedule": (all) =>
        Object.assign(firstOf(all, "AWS::Lambda::Permission"), { Principal: "events.amazonaws.com", SourceArn: "*" }),
      "any topic": (all) =>
        Object.assign(firstOf(all, "AWS::Lambda::Permission"), { Principal: "sns.amazonaws.com", SourceArn: "*" }),
      anybody: (all) => Object.assign(firstOf(all, "AWS::Lambda::Permission"), { Principal: "*" }),
    },
  },
  {
    rule: "no function has a secret in its environment",
    offenders: (all) =>
      ofType(all, "AWS::Lambda::Function").flatMap(([id, { Properties }]) =>
        Object.keys(Properties.Environment?.Variables ?? {})
          .filter((name) => /SECRET|TOKEN|PASSWORD|CREDENTIAL|(?<!_)KEY(?!LESS)/.test(name))
          .map((name) => `${id} ${name}`),
      ),
    violations: {
      "a secret": (all) => {
        firstOf(all, "AWS::Lambda::Function").Environment = { Variables: { LINK_SECRET: "s3cret" } };
      },
    },
  },
  {
    rule: "tables require TLS",
    offenders: (all) =>
      ofType(all, "AWS::DynamoDB::GlobalTable")
        .filter(
          ([, { Properties }]) =>
            !Properties.Replicas.every((replica: Resource["Properties"]) =>
              refusesPlain(replica.ResourcePolicy?.PolicyDocument),
            ),
        )
        .map(([id]) => id),
    violations: {
      "a table": (all) => delete firstOf(all, "AWS::DynamoDB::GlobalTable").Replicas[0].ResourcePolicy,
    },
  },
  {
    rule: "queues are encrypted and require TLS",
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
    violations: {
      "a queue in the clear": (all) => Object.assign(firstOf(all, "AWS::SQS::Queue"), { SqsManagedSseEnabled: false }),
      "a queue without a policy": (all) => Object.assign(firstOf(all, "AWS::SQS::QueuePolicy"), { Queues: [] }),
    },
  },
  {
    rule: "resource policies of queues and tables allow nothing",
    offenders: (all) =>
      [
        ...ofType(all, "AWS::SQS::QueuePolicy").map(([id, { Properties }]) => [id, Properties.PolicyDocument] as const),
        ...ofType(all, "AWS::DynamoDB::GlobalTable").map(
          ([id, { Properties }]) => [id, Properties.Replicas[0].ResourcePolicy?.PolicyDocument] as const,
        ),
      ]
        .filter(([, document]) => document?.Statement.some(({ Effect }: { Effect: string }) => Effect !== "Deny"))
        .map(([id]) => id),
    violations: {
      "another account": (all) => {
        firstOf(all, "AWS::SQS::QueuePolicy").PolicyDocument.Statement.push({
          Effect: "Allow",
          Principal: { AWS: "1" },
        });
      },
    },
  },
  {
    rule: "buckets own and encrypt all objects",
    offenders: (all) =>
      ofType(all, "AWS::S3::Bucket")
        .filter(
          ([, { Properties }]) =>
            Properties.OwnershipControls?.Rules[0].ObjectOwnership !== "BucketOwnerEnforced" ||
            !Properties.BucketEncryption,
        )
        .map(([id]) => id),
    violations: {
      "owners of objects": (all) => delete firstOf(all, "AWS::S3::Bucket").OwnershipControls,
      "no encryption": (all) => delete firstOf(all, "AWS::S3::Bucket").BucketEncryption,
    },
  },
  {
    rule: "the API requires TLS 1.2, caches no responses, logs no requests, and is throttled",
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
    violations: {
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

/** The statements of the functions' policies. */
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

function describeStatement({ id, actions, affected }: Statement): string {
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

/** Adds a statement to the policy of a function that runs Chromium. */
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
