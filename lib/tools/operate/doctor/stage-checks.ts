// Checks of the AWS account that has a stage, or will have it. Each is one request whose answer aws-facts.ts judges.
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import type { OperatorIdentity } from "../../../contract/operator-identity.ts";
import { dynamodb } from "../../../service/aws/clients/dynamodb.ts";
import { findOperatorSecret } from "../../../service/operator-events/operator-secret.ts";
import { hasDataKeys } from "../../../service/secrets/data-keys.ts";
import {
  type Concurrency,
  judgeAlarms,
  judgeBootstrap,
  judgeConcurrency,
  judgeMemory,
  judgeOperatorSecret,
  judgeRegion,
  judgeSecrets,
  judgeStack,
  judgeTable,
  judgeTenantEnvironments,
  type TableProtection,
} from "./aws-facts.ts";
import { type DoctorCheck, type DoctorFinding, failed, ok } from "./finding.ts";
import { judgeIdentity, settingsOf } from "./identity-facts.ts";

export interface StageFacts {
  readonly name: string;
  readonly concurrency: Omit<Concurrency, "quota">;
  readonly largestMemoryMb: number;
  readonly isolatesTenants: boolean;
  /** Whether events for the operator are sent to an address, or payments are reported, which the operator's secret signs. */
  readonly needsOperatorSecret: boolean;
  /** Whether tables are restorable, and protected from deletion. */
  readonly protectsData: boolean;
  /** Whether anyone can open an account, or the stage has a domain. */
  readonly isPublic: boolean;
  /** Who runs it, for its customers. */
  readonly identity: OperatorIdentity;
  /** In the order of their deployment; the last one is the service's. */
  readonly stackNames: readonly string[];
}

/** Checks without which no other one of the account makes sense. */
export function accountChecks({ isolatesTenants }: Pick<StageFacts, "isolatesTenants">): readonly DoctorCheck[] {
  return [
    { name: "region", isRequired: true, run: async () => judgeRegion(await region(), isolatesTenants) },
    { name: "credentials", isRequired: true, run: checkCredentials },
  ];
}

export function stageChecks({
  name,
  concurrency,
  largestMemoryMb,
  isolatesTenants,
  needsOperatorSecret,
  isPublic,
  identity,
  stackNames,
}: StageFacts): readonly DoctorCheck[] {
  return [
    {
      name: "CDK bootstrap",
      run: async () => judgeBootstrap((await describeStack("CDKToolkit"))?.outputs["BootstrapVersion"]),
    },
    {
      name: "concurrency",
      run: async () => judgeConcurrency({ ...concurrency, quota: await concurrencyQuota() }),
    },
    ...(isolatesTenants
      ? [{ name: "tenant isolation", run: async () => judgeTenantEnvironments(await concurrencyQuota()) }]
      : []),
    { name: "memory of functions", run: () => judgeMemory(largestMemoryMb) },
    { name: "identity", run: () => judgeIdentity({ isPublic, shown: settingsOf(identity), stage: name }) },
    ...stackNames.map((stack) => ({
      name: "stack",
      run: async () => judgeStack(stack, await describeStack(stack), name),
    })),
    { name: "secrets", run: () => checkSecrets(name, stackNames) },
    ...(needsOperatorSecret ? [{ name: "operator's secret", run: () => checkOperatorSecret(name, stackNames) }] : []),
    { name: "alarms", run: () => checkAlarms(name, stackNames.at(-1)) },
  ];
}

/** Checks of the tables of a stage that is deployed, by what they hold. */
export function tableChecks(
  tables: Readonly<Record<string, string>>,
  { protectsData }: Pick<StageFacts, "protectsData">,
): readonly DoctorCheck[] {
  const expected = { timeToLive: "ttl", isRestorable: protectsData, isDeletionProtected: protectsData };
  return Object.entries(tables).map(([holds, table]) => ({
    name: `protection of ${holds}`,
    run: async () => judgeTable(table, await readTableProtection(table), expected),
  }));
}

/** What protects a table. */
export async function readTableProtection(TableName: string): Promise<TableProtection> {
  const [{ Table }, { TimeToLiveDescription }, { ContinuousBackupsDescription }] = await Promise.all([
    dynamodb().send(new DescribeTableCommand({ TableName })),
    dynamodb().send(new DescribeTimeToLiveCommand({ TableName })),
    dynamodb().send(new DescribeContinuousBackupsCommand({ TableName })),
  ]);
  const isExpiring = /^ENABL(ED|ING)$/.test(TimeToLiveDescription?.TimeToLiveStatus ?? "");
  const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  return {
    timeToLive: isExpiring ? TimeToLiveDescription?.AttributeName : undefined,
    isRestorable: recovery === "ENABLED",
    isDeletionProtected: Table?.DeletionProtectionEnabled === true,
  };
}

async function region(): Promise<string | undefined> {
  return new STSClient({}).config.region().catch(() => undefined);
}

async function checkCredentials(): Promise<DoctorFinding> {
  try {
    const { Account, Arn } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
    return ok(`account ${Account}, as ${Arn}`);
  } catch (error) {
    return failed(
      (error as Error).message.split("\n")[0] ?? "",
      "Set AWS_PROFILE, or sign in with aws login or aws sso login.",
    );
  }
}

async function describeStack(StackName: string) {
  try {
    const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
    const [{ StackStatus: status, EnableTerminationProtection, CreationTime, Outputs = [] } = {}] = Stacks ?? [];
    return {
      status,
      isProtected: EnableTerminationProtection === true,
      createdAt: CreationTime?.getTime() ?? 0,
      outputs: Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
    };
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}

async function concurrencyQuota(): Promise<number> {
  const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
}

async function checkSecrets(stage: string, stackNames: readonly string[]): Promise<DoctorFinding> {
  const table = await accountsTable(stackNames);
  return judgeSecrets(table === undefined ? undefined : await hasDataKeys(table), stage);
}

async function checkOperatorSecret(stage: string, stackNames: readonly string[]): Promise<DoctorFinding> {
  const table = await accountsTable(stackNames);
  return judgeOperatorSecret(table === undefined ? undefined : await findOperatorSecret(table), stage);
}

/** The name of the table of accounts; undefined while the stage is not deployed. */
async function accountsTable(stackNames: readonly string[]): Promise<string | undefined> {
  for (const stack of stackNames) {
    const table = (await describeStack(stack))?.outputs["AccountsTable"];
    if (table !== undefined) return table;
  }
  return undefined;
}

async function checkAlarms(stage: string, serviceStack = ""): Promise<DoctorFinding> {
  const command = new DescribeAlarmsCommand({ AlarmNamePrefix: `screen-capture-${stage}-`, MaxRecords: 100 });
  const { MetricAlarms = [] } = await new CloudWatchClient({}).send(command);
  const firing = MetricAlarms.filter(({ StateValue }) => StateValue === "ALARM").map(({ AlarmName = "" }) => AlarmName);
  const { createdAt = 0 } = (firing.length > 0 && (await describeStack(serviceStack))) || {};
  return judgeAlarms({ firing, count: MetricAlarms.length, ageMinutes: (Date.now() - createdAt) / 60_000 });
}
