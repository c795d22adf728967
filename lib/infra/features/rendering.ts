// Asynchronous rendering: takes jobs from the render queue, and queues their webhooks; fails those whose messages are dead.
import type { Construct } from "constructs";
import { BrowserFunction, grantRecordCaptures } from "../functions/browser-function.ts";
import type { Rendering } from "../functions/rendering-props.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface RenderingProps extends FeatureProps<"usage" | "activity" | "results" | "queues" | "egress"> {
  readonly rendering: Rendering;
}

/** It has no reserved concurrency: that is for callers who wait, and the queue has a maximum concurrency of its own. */
export class RenderFunction extends BrowserFunction {
  constructor(scope: Construct, id: string, { stage, data, rendering }: RenderingProps) {
    super(scope, id, { stage, file: "render", data, rendering, memorySize: stage.renderMemoryMb });
    data.queues.feedRenders(this);
    data.results.grantTakeOptions(this);
    data.results.grantDiscard(this);
    data.activity.grantUpdateJobs(this);
    data.activity.grantCountReferences(this);
    data.queues.grantSendWebhooks(this);
    data.queues.grantStoreFailedRenders(this);
    data.queues.grantQueueQuotaChecks(this);
  }
}

/**
 * Fails captures whose messages were received too often, so that none stays queued forever. In a stage with operators, it also lists and
 * retries the messages of captures and webhooks that failed: they can have secrets, which the operator's function must not receive.
 */
export class DeadLettersFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"usage" | "activity" | "queues">) {
    super(scope, id, { stage, file: "dead-letters" });
    data.queues.feedDeadLetters(this);
    data.activity.grantUpdateJobs(this);
    grantRecordCaptures(this, data);
    data.queues.grantSendWebhooks(this);
    data.queues.grantStoreFailedRenders(this);
    if (stage.operators) data.queues.grantRetryFailed(this);
  }
}
