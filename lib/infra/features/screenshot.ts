// `GET|POST /api/v1/screenshot`: renders a capture while the caller waits, or queues it as a job.
import type { Construct } from "constructs";
import { grantAuthentication } from "../functions/authenticated-function.ts";
import { BrowserFunction } from "../functions/browser-function.ts";
import type { Rendering } from "../functions/rendering-props.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface ScreenshotProps
  extends FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues" | "egress"> {
  readonly rendering: Rendering;
}

export class ScreenshotFunction extends BrowserFunction {
  constructor(scope: Construct, id: string, { stage, data, rendering }: ScreenshotProps) {
    super(scope, id, {
      stage,
      file: "screenshot",
      data,
      rendering,
      memorySize: stage.browserMemoryMb,
      nativePackages: ["sharp"], // draws the picture of `fallback_image`
      ...(stage.browserConcurrency !== undefined && { reservedConcurrentExecutions: stage.browserConcurrency }),
    });
    grantAuthentication(this, data);
    data.accounts.grantReadSignedLinks(this);
    data.accounts.grantDecryptSecrets(this, "links");
    data.usage.grantCountLinkViews(this);
    data.usage.grantReserve(this);
    data.queues.grantQueueQuotaChecks(this);
    this.setCaptureCapacity(stage);

    // Asynchronous captures, which can name a saved receiver of webhooks.
    data.accounts.grantReadReceivers(this);
    data.activity.grantCreateJobs(this);
    data.results.grantWriteOptions(this);
    data.queues.grantSendRenders(this);

    // Links to results, for JSON and for results that are too large for the response.
    this.setEnvironment("MAX_STREAMED_RESULT_BYTES", String(stage.maxStreamedResultBytes));
    this.setEdgeCache(stage);
    data.accounts.grantReadLinkSecret(this);

    // Responses to requests with an `Idempotency-Key` can be pictures, too large for a table.
    data.activity.grantRepeatResponses(this);
    data.results.grantRepeatResponses(this);
  }
}
