// The table of counters (quota, rate limit, daily totals), and who may do what with it.
import { Construct } from "constructs";
import type { ServiceFunction } from "./function.ts";
import { grantItems } from "./grants.ts";
import type { StageConfig } from "./stages.ts";
import { ServiceTable } from "./table.ts";

export interface UsageTableProps {
  readonly stage: StageConfig;
}

export class UsageTable extends Construct {
  readonly table: ServiceTable;

  constructor(scope: Construct, id: string, { stage }: UsageTableProps) {
    super(scope, id);
    this.table = new ServiceTable(this, "Table", { stage, timeToLiveAttribute: "ttl" });
  }

  /** Lets the function count a capture. A transaction needs only the permissions of the writes in it. */
  grantRecord(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"]);
  }

  /** Lets the function add up what was counted. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["Query"]);
  }

  private grant(fn: ServiceFunction, actions: readonly string[]): void {
    fn.provide("USAGE_TABLE", this.table.tableName);
    grantItems(fn, this.table, { actions });
  }
}
