// What an AWS account says of a stage: credentials, bootstrap, quotas, stacks, and alarms, judged as findings.
import { type DoctorFinding, failed, ok, warning } from "./finding.ts";

/** The oldest version of CDK's bootstrap stack that the templates of CDK 2 can be deployed with. */
const MIN_BOOTSTRAP_VERSION = 6;

/**
 * Other partitions have other endpoints and services. In AWS GovCloud, Lambda has no tenant isolation; `isolatesTenants` is the setting of
 * the stage.
 * https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation.html
 */
export function judgeRegion(region: string | undefined, isolatesTenants = false): DoctorFinding {
  if (region === undefined) return failed("none is set", "Set AWS_REGION, for example to us-east-1.");
  if (/^(cn|us-iso|us-isob|eu-isoe)-/.test(region)) {
    return failed(`${region} is not supported`, "Use a region of the partition aws or aws-us-gov, such as us-east-1.");
  }
  if (isolatesTenants && region.startsWith("us-gov-")) {
    return failed(
      `${region} has no tenant isolation of Lambda, which the stage has`,
      "Use a commercial region, or set tenantIsolation: false for the stage in lib/infra/stages.ts.",
    );
  }
  return ok(`${region}; Lambda must stream responses there, as it does in most regions`);
}

/** `version` is the output `BootstrapVersion` of the stack `CDKToolkit`. */
export function judgeBootstrap(version: string | undefined): DoctorFinding {
  const fix = "Run: npx cdk bootstrap";
  if (version === undefined) return failed("the stack CDKToolkit is missing", fix);
  return Number(version) >= MIN_BOOTSTRAP_VERSION
    ? ok(`version ${version}`)
    : failed(`version ${version} is too old`, fix);
}

/** Lambda's quota code of concurrent executions. */
const CONCURRENCY_QUOTA = "L-B99A9384";

/** Concurrent executions that Lambda lets no function reserve. */
const UNRESERVED = 100;

export interface Concurrency {
  /** What the stage uses under full load, its reservations included. */
  readonly needed: number;
  /** What the stage reserves for single functions. */
  readonly reserved: number;
  /** What the stage says that the account has, for its alarm; undefined for a stage without the alarm. */
  readonly expectedQuota?: number | undefined;
  /** Whether captures are rendered in a function of their own, whose callers wait for it. */
  readonly isRendererSeparate?: boolean;
  /** What the account has. */
  readonly quota: number;
}

/** Compares what a stage reserves, and uses under full load, with the quota of the account. */
export function judgeConcurrency({
  needed,
  reserved,
  expectedQuota,
  isRendererSeparate = false,
  quota,
}: Concurrency): DoctorFinding {
  const raise =
    `Raise it: aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${CONCURRENCY_QUOTA} ` +
    `--desired-value ${Math.max(1000, needed)}`;
  if (reserved > 0 && quota - reserved < UNRESERVED) {
    return failed(
      `the stage reserves ${reserved} of the account's ${quota} concurrent executions, and Lambda refuses to leave fewer than ${UNRESERVED}`,
      `${raise}. Until then, remove reservedConcurrency and browserConcurrency from the stage in lib/infra/stages.ts.`,
    );
  }
  if (quota < needed) {
    const detail = `the stage uses ${needed} concurrent executions under full load, and the account has ${quota}`;
    if (!isRendererSeparate) return warning(detail, raise);
    return failed(
      `${detail}: functions that wait for the renderer take the executions that it needs`,
      `${raise}. Until then, lower maxConcurrentCaptures and jobConcurrency of the stage in lib/infra/stages.ts.`,
    );
  }
  if (expectedQuota !== undefined && expectedQuota !== quota) {
    return warning(
      `the account has ${quota} concurrent executions, and the stage's alarm expects ${expectedQuota}`,
      `Set concurrencyQuota of the stage in lib/infra/stages.ts to ${quota}, and deploy.`,
    );
  }
  return ok(`the stage uses ${needed} of ${quota} concurrent executions`);
}

/**
 * Execution environments of functions with tenant isolation, idle ones included, that Lambda allows for each concurrent execution of the
 * quota. https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation-troubleshooting.html
 */
const TENANT_ENVIRONMENTS_PER_EXECUTION = 2.5;

/** States how many execution environments the tenants of an account with this quota can have. */
export function judgeTenantEnvironments(quota: number): DoctorFinding {
  const most = Math.floor(quota * TENANT_ENVIRONMENTS_PER_EXECUTION);
  return ok(
    `at most ${most} execution environments of the renderer, idle ones included; then captures get 503 CAPACITY`,
  );
}

/** What protects a table, as it is or as the stage wants it. */
export interface TableProtection {
  /** The attribute by which items expire; undefined where none does. */
  readonly timeToLive: string | undefined;
  readonly isRestorable: boolean;
  readonly isDeletionProtected: boolean;
}

/** Compares a table with the stage. A table that was restored has none of it. */
export function judgeTable(name: string, actual: TableProtection, expected: TableProtection): DoctorFinding {
  const differences = [
    ...(actual.timeToLive === expected.timeToLive
      ? []
      : [
          {
            lacks: "no expiry of its items",
            command: `aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=${expected.timeToLive}`,
          },
        ]),
    ...(actual.isRestorable || !expected.isRestorable
      ? []
      : [
          {
            lacks: "no point-in-time recovery",
            command: `aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
          },
        ]),
    ...(actual.isDeletionProtected || !expected.isDeletionProtected
      ? []
      : [
          {
            lacks: "no deletion protection",
            command: `aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
          },
        ]),
  ];
  if (differences.length > 0) {
    return failed(
      `${name} has ${differences.map(({ lacks }) => lacks).join(", and ")}, unlike the stage`,
      `Run: ${differences.map(({ command }) => command).join(" && ")}`,
    );
  }
  const { isRestorable, isDeletionProtected } = actual;
  const protection = [
    ...(isRestorable ? ["restorable to any second of 35 days"] : []),
    ...(isDeletionProtected ? ["protected from deletion"] : []),
  ];
  return ok(["items expire", ...protection].join(", "));
}

/** The memory that new accounts can give a function. It is no quota that can be read. */
const NEW_ACCOUNT_MEMORY_MB = 3_008;

export function judgeMemory(largestMb: number): DoctorFinding {
  if (largestMb <= NEW_ACCOUNT_MEMORY_MB) return ok(`${largestMb} MB at most, which every account allows`);
  return warning(
    `${largestMb} MB, of which new accounts allow ${NEW_ACCOUNT_MEMORY_MB}`,
    "If the deployment is refused, ask AWS Support for the full memory of Lambda.",
  );
}

/** A stack as CloudFormation describes it. */
export interface StackState {
  readonly status: string | undefined;
  /** Whether it is protected from termination. */
  readonly isProtected: boolean;
}

/** `state` is undefined for a stack that does not exist. */
export function judgeStack(name: string, state: StackState | undefined, stage: string): DoctorFinding {
  const deploy = `Run: npm run deploy -- -c stage=${stage}`;
  if (state?.status === undefined) return warning(`${name} is not deployed`, deploy);
  const { status, isProtected } = state;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(`${name}: ${status}`);
  // A change set that was never executed.
  if (status === "REVIEW_IN_PROGRESS") return warning(`${name} is not deployed: ${status}`, deploy);
  if (/_IN_PROGRESS$/.test(status)) return warning(`${name}: ${status}`, "Wait until the deployment has ended.");
  if (status === "UPDATE_ROLLBACK_COMPLETE") {
    return warning(
      `${name}: ${status}`,
      "The last deployment was rolled back: see the events of the stack. The one before runs.",
    );
  }
  const events = `aws cloudformation describe-stack-events --stack-name ${name}`;
  if (/^ROLLBACK_(COMPLETE|FAILED)$/.test(status)) {
    const detail = `${name}: ${status}. Its creation failed`;
    if (!isProtected) return warning(`${detail}; the next deployment replaces it`, `See why it failed: ${events}`);
    return failed(
      `${detail}, and it can't be replaced while it is protected`,
      `See why it failed: ${events}. Then run: aws cloudformation update-termination-protection ` +
        `--no-enable-termination-protection --stack-name ${name}, and deploy again.`,
    );
  }
  if (status === "UPDATE_ROLLBACK_FAILED") {
    return failed(
      `${name}: ${status}`,
      `See why: ${events}. When the cause is over, run: aws cloudformation continue-update-rollback --stack-name ${name}`,
    );
  }
  return failed(`${name}: ${status}`, `See the events of the stack: ${events}`);
}

/** `areEncrypted` is undefined without the tables of the stage. */
export function judgeSecrets(areEncrypted: boolean | undefined, stage: string): DoctorFinding {
  if (areEncrypted === undefined)
    return warning("there is no table yet", "The stage is not deployed, or another region is set.");
  if (areEncrypted) return ok("encrypted by the KMS key of the stage when they are written");
  return warning(
    "the stage has no data keys: secrets would be stored as plain text",
    `Create them with the first account: npm run accounts -- create --plan max --label "First" --stage ${stage}. In a stage that has ` +
      `accounts: npm run accounts -- rotate-link-secret --stage ${stage}`,
  );
}

/** `secret` is undefined while there is none. */
export function judgeOperatorSecret(secret: { readonly created_at: string } | undefined, stage: string): DoctorFinding {
  if (secret) return ok(`made ${secret.created_at.slice(0, 10)}`);
  return failed(
    "there is none, so events are not sent to the operatorWebhook of the stage",
    `Make it: npm run operator -- secret --stage ${stage}`,
  );
}

/** Minutes for which the alarm of the canary fires in a new stage: until its schedule has made the first captures. */
const NEW_STAGE_MINUTES = 20;

export interface AlarmState {
  /** Names of alarms that fire. */
  readonly firing: readonly string[];
  /** Number of alarms. */
  readonly count: number;
  /** Since the service's stack was created. */
  readonly ageMinutes: number;
}

export function judgeAlarms({ firing, count, ageMinutes }: AlarmState): DoctorFinding {
  if (count === 0) return warning("none exist", "The stage is not deployed, or another region is set.");
  if (firing.length === 0) return ok(`${count}, none fires`);
  if (ageMinutes < NEW_STAGE_MINUTES && firing.every((name) => name.endsWith("-canary"))) {
    return warning(
      `${firing.join(", ")} of a stage that is ${Math.floor(ageMinutes)} minutes old`,
      "The canary's schedule begins with the stage. Run the doctor again in ten minutes.",
    );
  }
  return failed(`${firing.join(", ")}`, "Each has a section in docs/operations.md.");
}
