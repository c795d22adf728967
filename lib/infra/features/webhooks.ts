// Webhooks: delivery from the webhook queue, and `POST /api/v1/screenshot/{id}/webhook/redeliver`.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { ATTEMPT_TIMEOUT_MS } from "../../webhooks/webhook.ts";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import { grantRecordCaptures } from "../functions/browser-function.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** Delivers webhooks, and fails jobs whose last worker died, which it records as captures. */
export class WebhookFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, baseUrl }: FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues" | "egress">,
  ) {
    super(scope, id, {
      stage,
      file: "webhook",
      timeout: Duration.millis(ATTEMPT_TIMEOUT_MS),
      ...data.egress?.placement,
    });
    this.allowOrigins(stage);
    data.queues.feedWebhooks(this);
    data.usage.grantReadSlots(this);
    data.activity.grantUpdateJobs(this);
    grantRecordCaptures(this, data);

    // The signature and the links of a webhook's body.
    data.accounts.grantReadKeys(this);
    this.setEnvironment("BASE_URL", baseUrl);
    data.accounts.grantReadLinkSecret(this);
    data.results.grantReadFacts(this);
  }
}

/** `POST /api/v1/webhooks/test` */
export class WebhookTestFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage" | "activity">) {
    super(scope, id, { stage, file: "webhook-test", data });
    this.allowOrigins(stage);
    data.accounts.grantReadKeys(this);
    data.activity.grantRepeatResponses(this);
  }
}

export class RedeliveryFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data }: FeatureProps<"accounts" | "usage" | "activity" | "queues">,
  ) {
    super(scope, id, { stage, file: "redelivery", data });
    data.activity.grantUpdateJobs(this);
    data.activity.grantRepeatResponses(this);
    data.queues.grantSendWebhooks(this);
  }
}
