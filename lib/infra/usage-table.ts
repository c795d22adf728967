// The table of counters (rate limit, billing periods, totals), and who may do what with it.
import { Construct } from "constructs";
import {
  hoursPartition,
  monthsPartition,
  periodsPartition,
  requestsPartition,
  slotsPartition,
} from "../aws/table-keys.ts";
import type { ServiceFunction } from "./function.ts";
import { grantItems } from "./grants.ts";
import type { StageConfig } from "./stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write; an IAM condition holds each function to its own. */
const REQUESTS = requestsPartition("*");
const PERIODS = periodsPartition("*");
const SLOTS = slotsPartition("*");
const MONTHS = monthsPartition("*");
const HOURS = hoursPartition("*");

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

  /** Lets the function hold callers to their rate limit. */
  grantCountRequests(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], REQUESTS);
  }

  /** Lets the function see when each key was last used. */
  grantReadRequests(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], REQUESTS);
  }

  /** Lets the function count captures. A transaction needs only the permissions of the writes in it. */
  grantRecord(fn: ServiceFunction): void {
    fn.provide("USAGE_RETENTION_DAYS", this.retentionDays);
    this.grant(fn, ["UpdateItem"], PERIODS, MONTHS, HOURS);
  }

  /** Lets the function reserve captures. */
  grantReserve(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], PERIODS);
    this.grantReadCounts(fn);
  }

  /** Lets the function hold accounts to the jobs and webhooks they may have at once. */
  grantHoldSlots(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], SLOTS);
  }

  /** Lets the function see which receivers of webhooks hung. */
  grantSeeSlots(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], SLOTS);
  }

  /** Lets the function add up what was counted. */
  grantRead(fn: ServiceFunction): void {
    fn.provide("USAGE_RETENTION_DAYS", this.retentionDays);
    this.grant(fn, ["Query"], MONTHS, HOURS);
  }

  /** Lets the function see what was captured in a billing period. */
  grantReadCounts(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], PERIODS);
  }

  /** Lets the function list the billing periods. */
  grantReadPeriods(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], PERIODS);
  }

  /** Lets the function keep the terms of a billing period that has ended. */
  grantFreezePeriods(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], PERIODS);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], ...leadingKeys: readonly string[]): void {
    fn.provide("USAGE_TABLE", this.table.tableName);
    grantItems(fn, this.table, { actions, leadingKeys });
  }
}
