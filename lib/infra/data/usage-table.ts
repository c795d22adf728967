// The table of counters (rate limit, billing periods, concurrency slots, totals), with one grant for each kind of access.
import { Construct } from "constructs";
import {
  accountPartitions,
  attemptsPartition,
  billingRunKey,
  dayLimitsPartition,
  EVENT_MAILS,
  failuresPartition,
  firstUsesPartition,
  hoursPartition,
  invoicesPartition,
  KEYLESS_ATTEMPTS,
  keyLimitsPartition,
  keylessCapturesKey,
  linkViewsPartition,
  monthsPartition,
  OPERATOR_ATTEMPTS,
  periodsPartition,
  requestsPartition,
  slotsPartition,
  testsPartition,
  trialPauseKey,
} from "../../service/aws/table-keys.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write. An IAM condition restricts each function to some of them. */
const REQUESTS = requestsPartition("*");
const LINK_VIEWS = linkViewsPartition("*");
const PERIODS = periodsPartition("*");
const TESTS = testsPartition("*");
const KEY_LIMITS = keyLimitsPartition("*");
const DAY_LIMITS = dayLimitsPartition("*");
const FAILURES = failuresPartition("*");
const FIRST_USES = firstUsesPartition("*");
const INVOICES = invoicesPartition("*");
const SLOTS = slotsPartition("*");
const TRIAL_PAUSE = trialPauseKey.pk;
const BILLING_RUN = billingRunKey.pk;
const MONTHS = monthsPartition("*");
const HOURS = hoursPartition("*");
const ATTEMPTS = attemptsPartition("*");
const KEYLESS = attemptsPartition(`${KEYLESS_ATTEMPTS}*`);
const OPERATOR = attemptsPartition(`${OPERATOR_ATTEMPTS}*`);
const EVENT_MAIL_ATTEMPTS = attemptsPartition(`${EVENT_MAILS}#*`);
const KEYLESS_SLOTS = keylessCapturesKey.pk;

export interface UsageTableProps {
  readonly stage: StageConfig;
}

export class UsageTable extends Construct {
  readonly table: ServiceTable;
  private readonly retentionDays: string;

  constructor(scope: Construct, id: string, { stage }: UsageTableProps) {
    super(scope, id);
    this.table = new ServiceTable(this, "Table", { stage, timeToLiveAttribute: "ttl" });
    this.retentionDays = String(stage.usageRetentionDays);
  }

  /** Lets the function enforce the rate limit. */
  grantCountRequests(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], REQUESTS);
  }

  /** Lets the function limit the views of signed links. */
  grantCountLinkViews(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], LINK_VIEWS);
  }

  /** Lets the function limit attempts to sign in. */
  grantCountAttempts(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], ATTEMPTS);
  }

  /** Lets the function limit the mails to the operator about what owners do. */
  grantCountEventMails(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], EVENT_MAIL_ATTEMPTS);
  }

  /** Lets the function limit attempts to sign in as an operator. */
  grantCountOperatorAttempts(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], OPERATOR);
  }

  /** Lets the function limit captures without an API key. */
  grantLimitKeyless(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], KEYLESS, KEYLESS_SLOTS);
  }

  /** Lets the function read when each API key was last used, and how much it has captured. */
  grantReadKeyUse(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], REQUESTS, MONTHS);
    this.grant(fn, ["GetItem"], KEY_LIMITS);
  }

  /** Lets the function count captures. A transaction needs no more than the permissions of its writes. */
  grantRecord(fn: ServiceFunction): void {
    fn.setEnvironment("USAGE_RETENTION_DAYS", this.retentionDays);
    this.grant(fn, ["UpdateItem"], PERIODS, TESTS, KEY_LIMITS, DAY_LIMITS, FAILURES, MONTHS, HOURS);
  }

  /** Lets the function reserve quota, and free failures, as many as the months have successes. */
  grantReserve(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem", "GetItem"], PERIODS, TESTS);
    this.grant(fn, ["UpdateItem"], KEY_LIMITS, DAY_LIMITS, FAILURES);
    this.grant(fn, ["Query"], MONTHS);
    this.grant(fn, ["GetItem"], TRIAL_PAUSE);
  }

  /** Lets the function release the quota and the slot of a capture that is not attempted. */
  grantRelease(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], PERIODS, TESTS, KEY_LIMITS, DAY_LIMITS, FAILURES, SLOTS);
  }

  /** Lets the function pause trials. */
  grantPauseTrials(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], TRIAL_PAUSE);
  }

  /** Lets the function enforce the maximum of concurrent jobs and webhooks of an account. */
  grantHoldSlots(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], SLOTS);
  }

  /** Lets the function read which receivers of webhooks did not respond. */
  grantReadSlots(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], SLOTS);
  }

  /** Lets the function read the counts of captures by day and minute. */
  grantRead(fn: ServiceFunction): void {
    fn.setEnvironment("USAGE_RETENTION_DAYS", this.retentionDays);
    this.grant(fn, ["Query"], MONTHS, HOURS);
  }

  /** Lets the function read the counts of a billing period. */
  grantReadCounts(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], PERIODS, FAILURES);
    this.grant(fn, ["Query"], MONTHS);
  }

  /** Lets the function read what a billing period has used, and store the percentages that its owner was notified of. */
  grantAlert(fn: ServiceFunction): void {
    this.grantReadCounts(fn);
    this.grant(fn, ["UpdateItem"], PERIODS);
  }

  /** Lets the function store that the first use of an API key was reported, and take that back when it could not be. */
  grantReportFirstUses(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "DeleteItem"], FIRST_USES);
  }

  /** Lets the function list the billing periods with their counts. */
  grantReadPeriods(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], PERIODS, MONTHS);
  }

  /** Lets the function read what accounts use, in lists and on the page of one: requests, captures, and billing periods. */
  grantShowUse(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], REQUESTS, PERIODS, MONTHS);
    this.grant(fn, ["BatchGetItem"], REQUESTS, PERIODS);
    this.grant(fn, ["GetItem"], PERIODS);
  }

  /** Lets the function mark the counters of a suspended account, so that no capture succeeds, and take that back. */
  grantSuspend(fn: ServiceFunction): void {
    this.grant(fn, ["Query", "UpdateItem"], MONTHS);
  }

  /** Lets the function store until when invoices are closed. */
  grantStoreBillingRuns(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], BILLING_RUN);
  }

  /** Lets the function store the terms of a billing period that has ended. */
  grantFreezePeriods(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], PERIODS);
  }

  /** Lets the function store the PDFs of closed invoices. */
  grantStoreInvoices(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], INVOICES);
  }

  /** Lets the function read and delete everything that the table has of an account. */
  grantRemoveAccounts(fn: ServiceFunction): void {
    this.grant(fn, ["Query", "DeleteItem"], ...accountPartitions("*").usage);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], ...leadingKeys: readonly string[]): void {
    fn.setEnvironment("USAGE_TABLE", this.table.tableName);
    this.table.grantItems(fn, { actions, leadingKeys });
  }
}
