// Where an operator's command finds its table: in the service that runs on this machine, or in a deployed stage.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import * as v from "valibot";
import { fakeCredentials, REGION } from "./local-cloud.ts";
import { LocalServiceError } from "./local-service-error.ts";

const RunningService = v.object({
  endpoints: v.object({ dynamodb: v.string() }),
  outputs: v.object({ AccountsTable: v.string() }),
});

/**
 * The name of the Accounts table. For the service on this machine it also points this process's AWS clients at the
 * engines. Throws `LocalServiceError` when there is no such service or stage.
 */
export async function findAccountsTable({ stage, dataDir }: { stage?: string | undefined; dataDir: string }) {
  return stage === undefined ? findRunning(dataDir) : findDeployed(stage);
}

/** Points this process's AWS clients at an engine on this machine. */
export function useLocalDynamoDb(endpoint: string): void {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  process.env.AWS_REGION = REGION;
  process.env.AWS_ACCESS_KEY_ID = fakeCredentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = fakeCredentials.secretAccessKey;
}

function findRunning(dataDir: string): string {
  const file = join(dataDir, "service.json");
  if (!existsSync(file)) {
    throw new LocalServiceError(
      `No service is running with the data folder '${dataDir}'. Start it with npm start, or name a stage with --stage.`,
    );
  }
  const { endpoints, outputs } = v.parse(RunningService, JSON.parse(readFileSync(file, "utf8")));
  useLocalDynamoDb(endpoints.dynamodb);
  return outputs.AccountsTable;
}

async function findDeployed(stage: string): Promise<string> {
  const StackName = `screen-capture-${stage}-data`;
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
  const output = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === "AccountsTable")?.OutputValue;
  if (output) return output;
  throw new LocalServiceError(`The stack ${StackName} has no Accounts table. Deploy the stage first: npm run deploy.`);
}
