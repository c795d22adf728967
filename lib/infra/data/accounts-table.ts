// The table of accounts, API keys and signing secrets, with the KMS key that encrypts the secrets, and one grant for each kind of
// access.
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import {
  accountPartition,
  addressUndoPartition,
  callerKey,
  type DataKeyName,
  dataKeyKey,
  deletionKey,
  directoryKey,
  emailKey,
  linkKey,
  linkSecretKey,
  operatorKey,
  operatorSecretKey,
  receiverSecretsPartition,
  receiversPartition,
  sessionsPartition,
  signInCodeKey,
  signInLinkKey,
  signInReportsPartition,
  trialKey,
} from "../../service/aws/table-keys.ts";
import { INTERNAL_HASH_PREFIX } from "../../service/keys/api-key.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write. An IAM condition restricts each function to some of them. */
const ACCOUNTS = accountPartition("*");
const CALLERS = callerKey("*").pk;
const INTERNAL_CALLERS = callerKey(`${INTERNAL_HASH_PREFIX}*`).pk;
const SESSION_CALLERS = callerKey("ACCOUNT#*").pk;
const LINKS = linkKey("*").pk;
const LINK_SECRET = linkSecretKey.pk;
const OPERATOR_SECRET = operatorSecretKey.pk;
const SESSIONS = sessionsPartition("*");
const SIGN_IN_LINKS = signInLinkKey("*").pk;
const CODES = signInCodeKey("*").pk;
const UNDOS = addressUndoPartition("*");
const REPORTS = signInReportsPartition("*");
const EMAILS = emailKey("*").pk;
const DELETIONS = deletionKey("*").pk;
const TRIALS = trialKey("*").pk;
const DIRECTORY = directoryKey("*", "").pk;
const OPERATORS = operatorKey("*", "*").pk;
const RECEIVERS = receiversPartition("*");
const RECEIVER_SECRETS = receiverSecretsPartition("*");

export interface AccountsTableProps {
  readonly stage: StageConfig;
}

export class AccountsTable extends Construct {
  readonly table: ServiceTable;
  /** Encrypts the data keys of the stage, which encrypt its secrets. */
  readonly secretsKey: Key;
  private readonly edgeName: string | undefined;

  constructor(scope: Construct, id: string, { stage }: AccountsTableProps) {
    super(scope, id);
    this.edgeName = stage.domain?.edge?.name;
    this.table = new ServiceTable(this, "Table", { stage, timeToLiveAttribute: "ttl" }); // of sessions and links to sign in
    this.secretsKey = new Key(this, "SecretsKey", {
      description: `Encrypts signing secrets and link secrets of the stage ${stage.name}`,
      enableKeyRotation: true, // of what encrypts new data keys; KMS keeps the older material, so nothing has to be encrypted again
      removalPolicy: stage.protectsData ? RemovalPolicy.RETAIN : stage.removalPolicy,
      pendingWindow: stage.protectsData ? Duration.days(30) : Duration.days(7),
    });
  }

  /** Lets the function authenticate callers by the hash of their API key, or by their session. */
  grantAuthenticate(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], CALLERS, SESSIONS);
  }

  /** Lets the function read whether an account is suspended, and nothing by which requests are authenticated. */
  grantReadSuspensions(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], SESSION_CALLERS);
  }

  /** Lets the function create API keys of the service's own account, and of no other: see `internal-account.ts`. */
  grantCreateInternalKeys(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], INTERNAL_CALLERS);
  }

  /** Lets the function start, extend, list and end sessions. */
  grantManageSessions(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "UpdateItem", "DeleteItem", "Query"], SESSIONS);
  }

  /** Lets the function redeem links to sign in. */
  grantRedeemLinks(fn: ServiceFunction): void {
    this.grant(fn, ["DeleteItem"], SIGN_IN_LINKS);
  }

  /** Lets the function create links to sign in to accounts, but not redeem them. */
  grantCreateSignInLinks(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], SIGN_IN_LINKS);
  }

  /** Lets the function create and redeem links that report sign-ins. */
  grantReportSignIns(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem", "DeleteItem"], REPORTS);
  }

  /** Lets the function create and redeem codes by e-mail. */
  grantRedeemCodes(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "UpdateItem", "DeleteItem"], CODES);
  }

  /** Lets the function find the accounts of e-mail addresses, change them, undo that, and open trials. */
  grantManageEmails(fn: ServiceFunction): void {
    this.grant(fn, ["Query", "PutItem", "DeleteItem"], UNDOS);
    this.grant(fn, ["GetItem", "PutItem"], EMAILS, TRIALS);
    this.grant(fn, ["DeleteItem"], EMAILS);
    this.grant(fn, ["GetItem"], LINK_SECRET); // it also signs what a browser proves
  }

  /** Lets the function start deletions of accounts, and read how far they are. */
  grantStartDeletions(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "GetItem"], DELETIONS);
  }

  /** Lets the function read what an export has of an account. */
  grantExport(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], ACCOUNTS, SESSIONS, RECEIVERS);
  }

  /** Lets the function read and delete everything that the table has of an account, and store how far it is. */
  grantRemoveAccounts(fn: ServiceFunction): void {
    const partitions = [ACCOUNTS, SESSIONS, UNDOS, REPORTS, RECEIVERS, RECEIVER_SECRETS];
    this.grant(fn, ["UpdateItem"], DELETIONS);
    this.grant(fn, ["PutItem"], ACCOUNTS, CALLERS, LINKS, DIRECTORY); // revokes the keys first
    this.grant(fn, ["Query"], ...partitions);
    this.grant(fn, ["DeleteItem"], ...partitions, CALLERS, LINKS, EMAILS, DIRECTORY);
  }

  /** Lets the function sign operators in, by items that it can put, and so end, but not delete. */
  grantSignOperatorsIn(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], OPERATORS);
  }

  /** Lets the function authenticate signed links by the id of the API key that signed them. */
  grantReadSignedLinks(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], LINKS);
  }

  /** Lets the function read accounts with their API keys, and write both with the items that authenticate callers. */
  grantManageKeys(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], ACCOUNTS);
    this.grant(fn, ["PutItem"], ACCOUNTS, CALLERS, LINKS, DIRECTORY);
    this.grant(fn, ["DeleteItem"], DIRECTORY); // of an address or a prefix that an account doesn't have any more
  }

  /** Lets the function read accounts with their API keys, and write both with the items that authenticate callers; none is deleted. */
  grantChangeAccounts(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], ACCOUNTS);
    this.grant(fn, ["PutItem"], ACCOUNTS, CALLERS, LINKS, DIRECTORY);
  }

  /** Lets the function list and find accounts. */
  grantSearchDirectory(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "BatchGetItem", "Query"], DIRECTORY);
  }

  /** Lets the function list accounts. */
  grantListDirectory(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], DIRECTORY);
  }

  /** Lets the function read accounts with their API keys. */
  grantReadAccounts(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], ACCOUNTS);
  }

  /** Lets the function read an API key of an account, with the secret that signs its webhooks. */
  grantReadKeys(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], ACCOUNTS);
  }

  /** Lets the function list, create, change, and delete saved receivers of webhooks, and read and rotate their secrets. */
  grantManageReceivers(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem", "DeleteItem"], RECEIVERS, RECEIVER_SECRETS);
    this.grant(fn, ["Query", "UpdateItem"], RECEIVERS);
  }

  /** Lets the function read saved receivers of webhooks without their secrets. */
  grantReadReceivers(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], RECEIVERS);
  }

  /** Lets the function list saved receivers of webhooks without their secrets. */
  grantListReceivers(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], RECEIVERS);
  }

  /** Lets the function send to saved receivers of webhooks, and change their state and health. */
  grantSendToReceivers(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], RECEIVERS, RECEIVER_SECRETS);
    this.grant(fn, ["UpdateItem"], RECEIVERS);
  }

  /** Lets the function sign links to results and check their signatures. */
  grantReadLinkSecret(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], LINK_SECRET);
    if (this.edgeName !== undefined) fn.setEnvironment("LINK_BASE_URL", `https://${this.edgeName}`);
  }

  /** Lets the function read the operator's secret, which signs and verifies. It also needs `grantDecryptSecrets` with the data key `stage`. */
  grantReadOperatorSecret(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], OPERATOR_SECRET);
  }

  /**
   * Lets the function decrypt secrets that it may read: with the data key `links`, those of API keys and of links to results, and
   * with the data key `stage`, from which all others are derived, also those of saved receivers and of the operator.
   */
  grantDecryptSecrets(fn: ServiceFunction, dataKey: DataKeyName): void {
    this.grant(fn, ["GetItem"], dataKeyKey(dataKey).pk);
    fn.setEnvironment("DATA_KEY", dataKey);
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["kms:Decrypt"],
        resources: [this.secretsKey.keyArn],
        conditions: { StringEquals: { "kms:EncryptionContext:purpose": dataKey } },
      }),
    );
  }

  private grant(fn: ServiceFunction, actions: readonly string[], ...leadingKeys: readonly string[]): void {
    fn.setEnvironment("ACCOUNTS_TABLE", this.table.tableName);
    this.table.grantItems(fn, { actions, leadingKeys });
  }
}
