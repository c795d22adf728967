// The delivery of webhooks from their queue.
import { Duration } from "aws-cdk-lib";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { requireOperatorWebhook } from "../../service/operator-events/operator-address.ts";
import { DELIVERY_ATTEMPT_TIMEOUT_MS } from "../../service/webhooks/webhook.ts";
import { grantRecordCaptures } from "../functions/browser-function.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** Delivers webhooks, and fails jobs whose last worker died, or whose account was suspended, which it records as captures. */
export class WebhookFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, baseUrl }: FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues" | "egress">,
  ) {
    super(scope, id, {
      stage,
      file: "webhook",
      timeout: Duration.millis(DELIVERY_ATTEMPT_TIMEOUT_MS),
      // A webhook that waits is a new message each time, and Lambda would stop the 17th. What ends the chain is the job: its attempts
      // are counted, and no webhook outlives it.
      recursiveLoop: RecursiveLoop.ALLOW,
      ...data.egress?.placement,
    });
    this.allowOrigins(stage);
    data.queues.feedWebhooks(this);
    data.usage.grantReadSlots(this);
    data.activity.grantUpdateJobs(this);
    grantRecordCaptures(this, data);

    // The signature and the links of a webhook's body.
    data.accounts.grantReadKeys(this);
    data.accounts.grantDecryptSecrets(this, "stage");
    this.setEnvironment("BASE_URL", baseUrl);
    data.accounts.grantReadLinkSecret(this);
    data.results.grantReadFacts(this);

    // The jobs of accounts that are suspended or resumed.
    data.accounts.grantReadSuspensions(this);
    data.activity.grantListJobs(this);

    // Receivers: what is sent to them, kept for them, and sent again, and the notice that one was paused.
    data.accounts.grantSendToReceivers(this);
    data.activity.grantLogDeliveries(this);
    data.activity.grantListDeliveries(this);
    data.activity.grantStoreEvents(this);
    data.queues.grantSendWebhooks(this);
    data.queues.webhookSchedules.grantCreate(this);
    data.queues.grantQueueNotices(this);

    // Events for the operator, and the mails about them.
    if (stage.operatorWebhook !== undefined) {
      requireOperatorWebhook(stage.operatorWebhook, stage.allowOrigins, "operatorWebhook");
      this.setEnvironment("OPERATOR_WEBHOOK", stage.operatorWebhook);
    }
    data.activity.grantDeliverOperatorEvents(this);
    data.accounts.grantReadOperatorSecret(this);
    data.usage.grantCountEventMails(this);
  }
}
