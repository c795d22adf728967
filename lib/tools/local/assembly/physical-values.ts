// The values of `Ref` and `Fn::GetAtt` of each resource on this machine, in place of the names that CloudFormation generates.
import { createHash } from "node:crypto";

/** Region, account and SQS endpoint of the local service. */
export interface Cloud {
  readonly region: string;
  /** Twelve digits. */
  readonly accountId: string;
  /** Address of SQS without a trailing slash, with which the URL of a queue begins. */
  readonly sqsEndpoint: string;
}

export interface PhysicalValues {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ResourceIdentity {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  /** The name in the template, if it has one. */
  readonly chosenName?: string;
}

/**
 * Deterministic: the same template gets the same names at every start, so its data is found again. Every type has a name
 * and an ARN; the types that the runner supports have more attributes.
 */
export function physicalValues(resource: ResourceIdentity, cloud: Cloud): PhysicalValues {
  const name = resource.chosenName ?? defaultName(resource);
  return (known[resource.type] ?? unknownType)(name, cloud, resource);
}

/** The property with the name of a resource, by resource type. */
export const nameProperties: Readonly<Record<string, string>> = {
  "AWS::ApiGateway::Stage": "StageName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::DynamoDB::Table": "TableName",
  "AWS::IAM::Role": "RoleName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::S3::Bucket": "BucketName",
  "AWS::Scheduler::ScheduleGroup": "Name",
  "AWS::SQS::Queue": "QueueName",
};

type Values = (name: string, cloud: Cloud, resource: ResourceIdentity) => PhysicalValues;

const table: Values = (name, cloud) => ({
  ref: name,
  attributes: { Arn: `arn:aws:dynamodb:${cloud.region}:${cloud.accountId}:table/${name}` },
});

const known: Readonly<Record<string, Values>> = {
  "AWS::DynamoDB::GlobalTable": table,
  "AWS::DynamoDB::Table": table,
  "AWS::IAM::Role": (name, { accountId }) => ({
    ref: name,
    attributes: { Arn: `arn:aws:iam::${accountId}:role/${name}` },
  }),
  "AWS::KMS::Key": (_name, { region, accountId }, { stack, logicalId }) => {
    const id = digest(`${stack}/${logicalId}`, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    return { ref: id, attributes: { Arn: `arn:aws:kms:${region}:${accountId}:key/${id}`, KeyId: id } };
  },
  "AWS::S3::Bucket": (name) => ({ ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } }),
  "AWS::Scheduler::ScheduleGroup": (name, { region, accountId }) => ({
    ref: name,
    attributes: { Arn: `arn:aws:scheduler:${region}:${accountId}:schedule-group/${name}` },
  }),
  "AWS::SQS::Queue": (name, { region, accountId, sqsEndpoint }) => {
    const url = `${sqsEndpoint}/${accountId}/${name}`;
    return {
      ref: url,
      attributes: { Arn: `arn:aws:sqs:${region}:${accountId}:${name}`, QueueName: name, QueueUrl: url },
    };
  },
  "AWS::Lambda::Function": (name, { region, accountId }) => ({
    ref: name,
    attributes: { Arn: `arn:aws:lambda:${region}:${accountId}:function:${name}` },
  }),
  "AWS::Lambda::LayerVersion": (name, { region, accountId }) => {
    const arn = `arn:aws:lambda:${region}:${accountId}:layer:${name}:1`;
    return { ref: arn, attributes: { LayerVersionArn: arn } };
  },
  "AWS::ApiGateway::RestApi": (_name, _cloud, { stack, logicalId }) => {
    const id = digest(`${stack}/${logicalId}`, 10);
    return { ref: id, attributes: { RestApiId: id, RootResourceId: `${id}-root` } };
  },
};

const unknownType: Values = (name, { region, accountId }, { type }) => ({
  ref: name,
  attributes: { Arn: `arn:aws:${type.split("::")[1]?.toLowerCase()}:${region}:${accountId}:${name}` },
});

/** Stack and logical id, shortened by a digest where a service allows fewer characters. */
function defaultName({ stack, logicalId, type }: ResourceIdentity): string {
  const name = `${stack}-${logicalId}`;
  // Bucket names are host names; 63 characters is also what fits tables (255), queues (80) and functions (64).
  const allowed = type === "AWS::S3::Bucket" ? name.toLowerCase().replace(/[^a-z0-9-]/g, "-") : name;
  return allowed.length <= LONGEST_NAME ? allowed : `${allowed.slice(0, LONGEST_NAME - 9)}-${digest(name, 8)}`;
}

const LONGEST_NAME = 63;

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
