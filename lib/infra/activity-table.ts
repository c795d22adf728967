// The table of capture logs, and who may do what with it.
import { Construct } from "constructs";
import type { ServiceFunction } from "./function.ts";
import { grantItems } from "./grants.ts";
import type { StageConfig } from "./stages.ts";
import { ServiceTable } from "./table.ts";

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
    this.grant(fn, ["PutItem"]);
  }

  /** Lets the function list logs. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["Query"]);
  }

  private grant(fn: ServiceFunction, actions: readonly string[]): void {
    fn.provide("ACTIVITY_TABLE", this.table.tableName);
    grantItems(fn, this.table, { actions });
  }
}
