// The table of accounts, API keys and signing secrets, and who may do what with it.
import { AttributeType, ProjectionType } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import { apiKeyKey, secretKey } from "../platform/table-keys.ts";
import type { ServiceFunction } from "./function.ts";
import { grantItems } from "./grants.ts";
import type { StageConfig } from "./stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write; an IAM condition holds each function to its own. */
const API_KEYS = apiKeyKey("*").pk;
const SIGNING_SECRETS = secretKey("*").pk;

export interface AccountsTableProps {
  readonly stage: StageConfig;
}

export class AccountsTable extends Construct {
  readonly table: ServiceTable;

  constructor(scope: Construct, id: string, { stage }: AccountsTableProps) {
    super(scope, id);
    this.table = new ServiceTable(this, "Table", {
      stage,
      globalSecondaryIndexes: [
        {
          indexName: "by-account",
          partitionKey: { name: "account_pk", type: AttributeType.STRING },
          sortKey: { name: "sk", type: AttributeType.STRING },
          projectionType: ProjectionType.ALL,
        },
      ],
    });
  }

  /** Lets the function find out whose an API key is. */
  grantLookUp(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], API_KEYS);
  }

  /** Lets the function check the signature of a result link. */
  grantReadSecret(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], SIGNING_SECRETS);
  }

  /** Lets the function sign result links, and make the secret for it the first time. */
  grantMakeSecret(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], SIGNING_SECRETS);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], leadingKeys: string): void {
    fn.provide("ACCOUNTS_TABLE", this.table.tableName);
    grantItems(fn, this.table, { actions, leadingKeys });
  }
}
