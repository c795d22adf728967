// The table of accounts, API keys and signing secrets, and who may do what with it.
import { Construct } from "constructs";
import { accountPartition, callerKey, linkKey, linkSecretKey } from "../aws/table-keys.ts";
import type { ServiceFunction } from "./function.ts";
import { grantItems } from "./grants.ts";
import type { StageConfig } from "./stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write; an IAM condition holds each function to its own. */
const ACCOUNTS = accountPartition("*");
const CALLERS = callerKey("*").pk;
const LINKS = linkKey("*").pk;
const LINK_SECRET = linkSecretKey.pk;

export interface AccountsTableProps {
  readonly stage: StageConfig;
}

export class AccountsTable extends Construct {
  readonly table: ServiceTable;

  constructor(scope: Construct, id: string, { stage }: AccountsTableProps) {
    super(scope, id);
    this.table = new ServiceTable(this, "Table", { stage });
  }

  /** Lets the function find out who presents an API key. */
  grantLookUp(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], CALLERS);
  }

  /** Lets the function find out whom a signed link stands for. */
  grantLookUpLinks(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], LINKS);
  }

  /** Lets the function read and change accounts with their keys, and with them what presented keys give. */
  grantManageKeys(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], ACCOUNTS);
    this.grant(fn, ["PutItem"], ACCOUNTS, CALLERS, LINKS);
  }

  /** Lets the function see a key of an account, and so what its webhooks are signed with. */
  grantReadKeys(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], ACCOUNTS);
  }

  /** Lets the function sign result links and check their signatures. */
  grantReadSecret(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], LINK_SECRET);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], ...leadingKeys: readonly string[]): void {
    fn.provide("ACCOUNTS_TABLE", this.table.tableName);
    grantItems(fn, this.table, { actions, leadingKeys });
  }
}
