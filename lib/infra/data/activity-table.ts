// The table of capture logs, jobs, cache entries, leases and repeatable responses, with one grant for each kind of access.
import { Construct } from "constructs";
import { INTERNAL_ACCOUNT_ID } from "../../service/account/internal-account.ts";
import {
  accountPartitions,
  auditPartition,
  billingEventKey,
  cachePartition,
  canaryKey,
  deliveriesPartition,
  exportsPartition,
  jobsPartition,
  keylessPicturePartition,
  leasesPartition,
  logPartition,
  operatorEventsPartition,
  responsesPartition,
  resultReferencesPartition,
  statusPartition,
  storedEventsPartition,
} from "../../service/aws/table-keys.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import { ServiceTable } from "./table.ts";

/** Patterns of the partition keys that the stores write. An IAM condition restricts each function to some of them. */
const LOGS = logPartition("*", "*");
const JOBS = jobsPartition("*");
const CACHE = cachePartition("*");
const REFERENCES = resultReferencesPartition("*");
const LEASES = leasesPartition("*");
const RESPONSES = responsesPartition("*");
const DELIVERIES = deliveriesPartition("*");
const STORED_EVENTS = storedEventsPartition("*");
const EXPORTS = exportsPartition("*");
const AUDIT = auditPartition("*");
const BILLING_EVENTS = billingEventKey("*").pk;
const OPERATOR_EVENTS = operatorEventsPartition("*");
const CANARY = canaryKey.pk;
const STATUS_DAYS = statusPartition("DAYS");
const INCIDENTS = statusPartition("INCIDENTS");
const KEYLESS_PICTURES = keylessPicturePartition("*");

/** What a lease takes: acquire, renew, read and release. */
const LEASE_ACTIONS = ["GetItem", "PutItem", "UpdateItem", "DeleteItem"];

export interface ActivityTableProps {
  readonly stage: StageConfig;
}

export class ActivityTable extends Construct {
  readonly table: ServiceTable;

  constructor(scope: Construct, id: string, { stage }: ActivityTableProps) {
    super(scope, id);
    this.table = new ServiceTable(this, "Table", { stage, timeToLiveAttribute: "ttl" });
  }

  /** Lets the function log captures. It can't read the log. */
  grantRecord(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], LOGS);
  }

  /** Lets the function list the log. */
  grantRead(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], LOGS);
  }

  /** Lets the function change logs, from which it removes the keys of objects that it deletes. */
  grantChangeLogs(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], LOGS);
  }

  /** Lets the function create jobs, and delete one that could not be queued. */
  grantCreateJobs(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "DeleteItem"], JOBS);
  }

  /** Lets the function create jobs of the service's own account, and of no other. */
  grantCreateInternalJobs(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], jobsPartition(INTERNAL_ACCOUNT_ID));
  }

  /** Lets the function read jobs. */
  grantReadJobs(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], JOBS);
  }

  /** Lets the function list jobs. */
  grantListJobs(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], JOBS);
  }

  /** Lets the function read and update jobs. */
  grantUpdateJobs(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "UpdateItem"], JOBS);
  }

  /** Lets the function read the cache, fill it, and wait for the lease of another that fills it. */
  grantCache(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], CACHE);
    this.grant(fn, LEASE_ACTIONS, LEASES);
    this.grant(fn, ["UpdateItem"], REFERENCES);
  }

  /** Lets the function start the reference count of a result. */
  grantCountReferences(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], REFERENCES);
  }

  /** Lets the function remove references to results, and remove results without references from the cache. */
  grantReleaseResults(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], REFERENCES);
    this.grant(fn, ["DeleteItem"], CACHE);
  }

  /** Lets the function store its responses, and repeat them for the same `Idempotency-Key`. */
  grantRepeatResponses(fn: ServiceFunction): void {
    this.grant(fn, LEASE_ACTIONS, RESPONSES);
  }

  /** Lets the function log deliveries to saved receivers of webhooks. */
  grantLogDeliveries(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], DELIVERIES);
  }

  /** Lets the function list deliveries to saved receivers of webhooks. */
  grantListDeliveries(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], DELIVERIES);
  }

  /** Lets the function store the events of paused receivers, and send them. */
  grantStoreEvents(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "Query", "DeleteItem"], STORED_EVENTS);
  }

  /** Lets the function count the events that are stored for paused receivers. */
  grantCountStoredEvents(fn: ServiceFunction): void {
    this.grant(fn, ["Query"], STORED_EVENTS);
  }

  /** Lets the function start exports, and read how far they are. */
  grantStartExports(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "GetItem", "Query"], EXPORTS);
  }

  /** Lets the function store how far exports are, and read what they have. */
  grantExport(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], EXPORTS);
    this.grant(fn, ["Query"], LOGS, JOBS, DELIVERIES);
  }

  /** Lets the function read and delete everything that the table has of an account. */
  grantRemoveAccounts(fn: ServiceFunction): void {
    this.grant(fn, ["Query", "DeleteItem"], LOGS, JOBS, ...accountPartitions("*").activity);
  }

  /** Lets the function store the pictures of captures without an API key. */
  grantStoreKeylessPictures(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], KEYLESS_PICTURES);
  }

  /** Lets the function store the outcome of the canary. */
  grantStoreCanary(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], CANARY);
  }

  /** Lets the function count checks by day, and read what the status page shows: those days, and the incidents. */
  grantPublishStatus(fn: ServiceFunction): void {
    this.grant(fn, ["UpdateItem"], STATUS_DAYS);
    this.grant(fn, ["Query"], STATUS_DAYS, INCIDENTS);
  }

  /** Lets the function read the outcome of the canary. */
  grantReadCanary(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem"], CANARY);
  }

  /** Lets the function add to the audit log, which none may change or delete, and read it. */
  grantAudit(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem", "Query"], AUDIT);
  }

  /** Lets the function add to the audit log. */
  grantAddToAudit(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], AUDIT);
  }

  /** Lets the function apply each event of the payment provider once. */
  grantApplyBillingEvents(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "PutItem"], BILLING_EVENTS);
  }

  /** Lets the function store events for the operator, in the transactions of what they report. */
  grantStoreOperatorEvents(fn: ServiceFunction): void {
    this.grant(fn, ["PutItem"], OPERATOR_EVENTS);
  }

  /** Lets the function read events for the operator, store what became of them, and change the list of pending ones. */
  grantDeliverOperatorEvents(fn: ServiceFunction): void {
    this.grant(fn, ["GetItem", "UpdateItem", "PutItem", "DeleteItem"], OPERATOR_EVENTS);
  }

  /** Lets the function find pending events for the operator. */
  grantFindPendingOperatorEvents(fn: ServiceFunction): void {
    this.grant(fn, ["Query", "BatchGetItem"], OPERATOR_EVENTS);
  }

  /** Lets the function list events for the operator. */
  grantListOperatorEvents(fn: ServiceFunction): void {
    this.grant(fn, ["Query", "GetItem"], OPERATOR_EVENTS);
  }

  private grant(fn: ServiceFunction, actions: readonly string[], ...leadingKeys: readonly string[]): void {
    fn.setEnvironment("ACTIVITY_TABLE", this.table.tableName);
    this.table.grantItems(fn, { actions, leadingKeys });
  }
}
