// What callers read and queue: captures and their results, usage, the account, and events of webhook receivers.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import { setPaymentTerms } from "../functions/billing-terms.ts";
import type { FeatureProps } from "./feature-props.ts";

type ApiData = Pick<ServiceData, "accounts" | "usage" | "activity" | "results" | "queues">;

export class ApiFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<keyof ApiData>) {
    // The export of a log takes longest; every route has a deadline of its own.
    super(scope, id, { stage, file: "api", data, timeout: Duration.minutes(5) });
    this.setEnvironment("USAGE_RETENTION_DAYS", String(stage.usageRetentionDays));
    this.setEnvironment("MAX_WAITING_BULKS", String(stage.maxWaitingBulks));
    this.setEnvironment("MAX_STREAMED_RESULT_BYTES", String(stage.maxStreamedResultBytes));
    this.setEdgeCache(stage);
    this.setCaptureCapacity(stage); // to show an account its share
    this.allowOrigins(stage); // for the test of a webhook

    setPaymentTerms(this, stage);
    this.grantReadUsage(data);
    this.grantAsynchronousCaptures(data);
    this.grantWebhooks(data);
    this.grantReceiverEvents(data);
    this.grantCaptureExports(data);
    data.results.grantRead(this);
    data.results.grantReadThumbnails(this);
    data.accounts.grantReadLinkSecret(this);
    data.activity.grantRepeatResponses(this);
  }

  /** The log of captures with its counts, and the account with its invoices. */
  private grantReadUsage({ usage, activity }: ApiData): void {
    usage.grantRead(this);
    usage.grantReadCounts(this);
    usage.grantReadPeriods(this);
    usage.grantFreezePeriods(this); // reading invoices freezes the terms of months that have ended
    activity.grantRead(this);
  }

  /** Exports of captures, and the files of all exports, to which signed links lead. */
  private grantCaptureExports({ activity, results, queues }: ApiData): void {
    activity.grantStartExports(this);
    queues.grantStartAccountTasks(this);
    results.grantReadExports(this);
  }

  /** Those of bulk requests, their list, the state of one, its cancellation, and the deletion of what any capture has stored. */
  private grantAsynchronousCaptures({ usage, activity, results, queues }: ApiData): void {
    usage.grantReserve(this);
    usage.grantHoldSlots(this);
    usage.grantRelease(this);
    activity.grantCreateJobs(this);
    activity.grantListJobs(this);
    activity.grantUpdateJobs(this);
    activity.grantReleaseResults(this);
    activity.grantChangeLogs(this);
    results.grantWriteOptions(this);
    results.grantReadFacts(this);
    results.grantDelete(this);
    queues.grantSendRenders(this);
  }

  /** The state of saved receivers of webhooks, their deliveries, a test of one, and sending its events again. */
  private grantReceiverEvents({ accounts, activity }: ApiData): void {
    accounts.grantSendToReceivers(this);
    activity.grantLogDeliveries(this);
    activity.grantListDeliveries(this);
    activity.grantCountStoredEvents(this);
  }

  /** The redelivery of webhooks, and the test of a receiver, which is signed with the caller's secret. */
  private grantWebhooks({ accounts, queues }: ApiData): void {
    accounts.grantReadKeys(this);
    accounts.grantDecryptSecrets(this, "stage");
    queues.grantSendWebhooks(this);
  }
}
