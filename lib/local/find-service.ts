// Where an operator's command finds its tables: in the service that runs on this machine, or in a deployed stage.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import * as v from "valibot";
import { fakeCredentials, REGION } from "./local-cloud.ts";
import { LocalServiceError } from "./local-service-error.ts";

const TableOutputs = v.object({ AccountsTable: v.string(), UsageTable: v.string() });
const RunningService = v.object({ endpoints: v.object({ dynamodb: v.string() }), outputs: TableOutputs });

/** Names of the tables that an operator works with. */
export interface Tables {
  readonly accounts: string;
  readonly usage: string;
}

/**
 * The names of the tables. For the service on this machine it also points this process's AWS clients at the
 * engines. Throws `LocalServiceError` when there is no such service or stage.
 */
export async function findTables({
  stage,
  dataDir,
}: {
  readonly stage?: string | undefined;
  readonly dataDir: string;
}): Promise<Tables> {
  return stage === undefined ? findRunning(dataDir) : findDeployed(stage);
}

/** Points this process's AWS clients at an engine on this machine. */
export function useLocalDynamoDb(endpoint: string): void {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  process.env.AWS_REGION = REGION;
  process.env.AWS_ACCESS_KEY_ID = fakeCredentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = fakeCredentials.secretAccessKey;
}

function findRunning(dataDir: string): Tables {
  const file = join(dataDir, "service.json");
  if (!existsSync(file)) {
    throw new LocalServiceError(
      `No service is running with the data folder '${dataDir}'. Start it with npm start, or name a stage with --stage.`,
    );
  }
  const { endpoints, outputs } = v.parse(RunningService, JSON.parse(readFileSync(file, "utf8")));
  useLocalDynamoDb(endpoints.dynamodb);
  return tablesOf(outputs);
}

async function findDeployed(stage: string): Promise<Tables> {
  const StackName = `screen-capture-${stage}-data`;
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs?.map(({ OutputKey = "", OutputValue }) => [OutputKey, OutputValue]) ?? [];
  const known = v.safeParse(TableOutputs, Object.fromEntries(outputs));
  if (known.success) return tablesOf(known.output);
  throw new LocalServiceError(`The stack ${StackName} has not all tables. Deploy the stage first: npm run deploy.`);
}

function tablesOf({ AccountsTable, UsageTable }: v.InferOutput<typeof TableOutputs>): Tables {
  return { accounts: AccountsTable, usage: UsageTable };
}
