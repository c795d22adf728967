// The table of capture logs and of what is remembered for a while, and who may do what with it.
import { Construct } from "constructs";
import {
  cachePartition,
  jobsPartition,
  leasesPartition,
  logPartition,
  responsesPartition,
  resultReferencesPartition,
} from "../aws/table-keys.ts";
import type { ServiceFunction } from "./function.ts";
import { grantItems } from "./grants.ts";
import type { StageConfig } from "./stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write; an IAM condition holds each function to its own. */
const LOGS = logPartition("*", "*");
const JOBS = jobsPartition("*");
const CACHE = cachePartition("*");
const REFERENCES = resultReferencesPartition("*");
const FLIGHTS = leasesPartition("*");
const ANSWERS = responsesPartition("*");

/** Work that one of several does is claimed, held, looked at and given up. */
const LEASING = ["GetItem", "PutItem", "UpdateItem", "DeleteItem"];

export interface ActivityTableProps {
  readonly stage: StageConfig;
}

export class ActivityTable extends Construct {
  readonly table: ServiceTable;

  constructor(scope: Construct, id: string, { stage }: ActivityTableProps) {
    super(scope, id);
    this.table = new ServiceTable(this, "Table", { stage, timeToLiveAttribute: "ttl" });
  }

  /** Lets the function log a capture; it can neither change nor read what is logged. */
  grantRecord(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], LOGS);
  }

  /** Lets the function list logs. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], LOGS);
  }

  /** Lets the function make jobs, and take one back that could not be queued. */
  grantMakeJobs(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "DeleteItem"], JOBS);
  }

  /** Lets the function see jobs. */
  grantSeeJobs(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], JOBS);
  }

  /** Lets the function see jobs and change them. */
  grantChangeJobs(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "UpdateItem"], JOBS);
  }

  /** Lets the function answer from the cache, fill it, and wait for others that do. */
  grantCache(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], CACHE);
    this.grant(fn, LEASING, FLIGHTS);
    this.grant(fn, ["UpdateItem"], REFERENCES);
  }

  /** Lets the function begin to count the references to a result. */
  grantCountReferences(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], REFERENCES);
  }

  /** Lets the function remove references to results, and results without one from the cache. */
  grantReleaseResults(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], REFERENCES);
    this.grant(fn, ["DeleteItem"], CACHE);
  }

  /** Lets the function keep its answers, and repeat them. */
  grantRepeatAnswers(fn: ServiceFunction): void {
    this.grant(fn, LEASING, ANSWERS);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], ...leadingKeys: readonly string[]): void {
    fn.provide("ACTIVITY_TABLE", this.table.tableName);
    grantItems(fn, this.table, { actions, leadingKeys });
  }
}
