// Finds the tables and queues for an operator's command: in the local service, or in a deployed stage.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import * as v from "valibot";
import type { Environment } from "../../../service/platform/environment.ts";
import { fakeCredentials, REGION } from "../engines/client-options.ts";
import { LocalServiceError } from "../local-service-error.ts";

const TableOutputs = v.object({
  AccountsTable: v.string(),
  UsageTable: v.string(),
  ActivityTable: v.string(),
  SecretsKey: v.string(),
});
const AccountOutputs = v.object({
  ...TableOutputs.entries,
  ResultsBucket: v.string(),
  AccountDataQueue: v.string(),
  WebhookQueue: v.string(),
});
const JobOutputs = v.object({
  ActivityTable: v.string(),
  RenderQueue: v.string(),
  FailedRenders: v.string(),
  WebhookQueue: v.string(),
  WebhookDeadLetters: v.string(),
});
const RunningService = v.object({
  baseUrl: v.string(),
  endpoints: v.object({ dynamodb: v.string(), kms: v.string(), sqs: v.string(), s3: v.string() }),
  outputs: v.record(v.string(), v.string()),
});

/** Names of the tables. */
export interface Tables {
  readonly accounts: string;
  readonly usage: string;
  readonly activity: string;
}

/** The table name and the queue URLs of asynchronous captures. */
export type JobResources = Pick<
  Environment,
  | "ACTIVITY_TABLE"
  | "RENDER_QUEUE_URL"
  | "FAILED_RENDER_QUEUE_URL"
  | "WEBHOOK_QUEUE_URL"
  | "WEBHOOK_DEAD_LETTER_QUEUE_URL"
>;

/** A deployed stage or, without one, the local service of a data folder. */
export interface ServiceLocation {
  readonly stage?: string | undefined;
  readonly dataDir: string;
}

/**
 * The names of the tables. For the local service it also points this process's AWS clients at the local engines. Throws
 * `LocalServiceError` when there is no such service or stage.
 */
export async function findTables(location: ServiceLocation): Promise<Tables> {
  const { AccountsTable, UsageTable, ActivityTable, SecretsKey } = await findOutputs(location, TableOutputs);
  process.env["SECRETS_KEY"] = SecretsKey;
  return { accounts: AccountsTable, usage: UsageTable, activity: ActivityTable };
}

/** Everything that holds data of accounts: the names of the tables and of the bucket, and the addresses of queues. */
export interface AccountResources extends Tables {
  readonly results: string;
  /** Of exports and deletions. */
  readonly queue: string;
  readonly webhooks: string;
}

/** Everything that holds data of accounts; otherwise like `findTables`. */
export async function findAccountStorage(location: ServiceLocation): Promise<AccountResources> {
  const outputs = await findOutputs(location, AccountOutputs);
  process.env["SECRETS_KEY"] = outputs.SecretsKey;
  return {
    accounts: outputs.AccountsTable,
    usage: outputs.UsageTable,
    activity: outputs.ActivityTable,
    results: outputs.ResultsBucket,
    queue: outputs.AccountDataQueue,
    webhooks: outputs.WebhookQueue,
  };
}

/** The resources of asynchronous captures; otherwise like `findTables`. */
export async function findJobResources(location: ServiceLocation): Promise<JobResources> {
  const outputs = await findOutputs(location, JobOutputs);
  return {
    ACTIVITY_TABLE: outputs.ActivityTable,
    RENDER_QUEUE_URL: outputs.RenderQueue,
    FAILED_RENDER_QUEUE_URL: outputs.FailedRenders,
    WEBHOOK_QUEUE_URL: outputs.WebhookQueue,
    WEBHOOK_DEAD_LETTER_QUEUE_URL: outputs.WebhookDeadLetters,
  };
}

/** The public address of the service without a trailing slash; otherwise like `findTables`. */
export async function findBaseUrl({ stage, dataDir }: ServiceLocation): Promise<string> {
  if (stage === undefined) return readRunning(dataDir).baseUrl;
  return (await findDeployed(`screen-capture-${stage}-service`, v.object({ BaseUrl: v.string() }))).BaseUrl;
}

/** Where the tables and the keys of a local service are. */
export interface LocalData {
  readonly dynamodb: string;
  /** Not needed where no secrets are used. */
  readonly kms?: string | undefined;
  /** ARN of the KMS key of secrets; not needed where the service has its secrets already. */
  readonly secretsKey?: string | undefined;
}

/** Points this process's AWS clients at the local DynamoDB and KMS. */
export function useLocalData({ dynamodb, kms, secretsKey }: LocalData): void {
  process.env["AWS_ENDPOINT_URL_DYNAMODB"] = dynamodb;
  if (kms !== undefined) process.env["AWS_ENDPOINT_URL_KMS"] = kms;
  if (secretsKey !== undefined) process.env["SECRETS_KEY"] = secretsKey;
  process.env["AWS_REGION"] = REGION;
  process.env["AWS_ACCESS_KEY_ID"] = fakeCredentials.accessKeyId;
  process.env["AWS_SECRET_ACCESS_KEY"] = fakeCredentials.secretAccessKey;
}

async function findOutputs<S extends v.GenericSchema>(
  { stage, dataDir }: ServiceLocation,
  wanted: S,
): Promise<v.InferOutput<S>> {
  return stage === undefined
    ? v.parse(wanted, findRunning(dataDir))
    : findDeployed(`screen-capture-${stage}-data`, wanted);
}

function readRunning(dataDir: string): v.InferOutput<typeof RunningService> {
  const file = join(dataDir, "service.json");
  if (!existsSync(file)) {
    throw new LocalServiceError(
      `No service is running with the data folder '${dataDir}'. Start it with npm start, or name a stage with --stage.`,
    );
  }
  return v.parse(RunningService, JSON.parse(readFileSync(file, "utf8")));
}

function findRunning(dataDir: string): Readonly<Record<string, string>> {
  const { endpoints, outputs } = readRunning(dataDir);
  useLocalData(endpoints);
  process.env["AWS_ENDPOINT_URL_SQS"] = endpoints.sqs;
  process.env["AWS_ENDPOINT_URL_S3"] = endpoints.s3;
  return outputs;
}

async function findDeployed<S extends v.GenericSchema>(StackName: string, wanted: S): Promise<v.InferOutput<S>> {
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs?.map(({ OutputKey = "", OutputValue }) => [OutputKey, OutputValue]) ?? [];
  const known = v.safeParse(wanted, Object.fromEntries(outputs));
  if (known.success) return known.output;
  throw new LocalServiceError(
    `The stack ${StackName} lacks an output that this command needs. Deploy the stage first: npm run deploy.`,
  );
}
