// Asynchronous rendering: takes jobs from the render queue, and queues their webhooks.
import type { Construct } from "constructs";
import { BrowserFunction } from "../functions/browser-function.ts";
import type { BrowserLayers } from "../functions/browser-layers.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface RenderingProps extends FeatureProps<"usage" | "activity" | "results" | "queues"> {
  readonly layers: BrowserLayers;
}

/** It has no reserved concurrency: that is for callers who wait, and the queue has a maximum concurrency of its own. */
export class RenderFunction extends BrowserFunction {
  constructor(scope: Construct, id: string, { stage, data, layers }: RenderingProps) {
    super(scope, id, { stage, file: "render", data, layers, memorySize: stage.renderMemoryMb });
    data.queues.feedRenders(this);
    data.results.grantTakeOptions(this);
    data.activity.grantUpdateJobs(this);
    data.activity.grantCountReferences(this);
    data.queues.grantSendWebhooks(this);
  }
}
