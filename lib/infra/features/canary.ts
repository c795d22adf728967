// The canary: a capture of a page of its own, and requests to the public address, every five minutes. It publishes the status page.
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { type Rendering, renderingProps, setRendering } from "../functions/rendering-props.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export const CANARY_INTERVAL = Duration.minutes(5);

export interface CanaryProps extends FeatureProps<"accounts" | "activity" | "results"> {
  readonly rendering: Rendering;
}

export class CanaryFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data, baseUrl, rendering }: CanaryProps) {
    const { bundle, ...props } = renderingProps(rendering, {
      memorySize: stage.browserMemoryMb,
      ephemeralStorageMb: 1024,
    });
    super(scope, id, {
      stage,
      file: "canary",
      timeout: Duration.seconds(60),
      ...props,
      bundle: { ...bundle, withStatusFrame: true },
    });
    setRendering(this, rendering);
    this.setEnvironment("LAUNCH_AHEAD", "false");
    this.setEnvironment("BASE_URL", baseUrl);
    data.activity.grantStoreCanary(this);
    data.activity.grantPublishStatus(this);
    data.results.grantPublishStatus(this);
    data.accounts.grantCreateInternalKeys(this);
    new Rule(scope, `${id}Schedule`, {
      schedule: Schedule.rate(CANARY_INTERVAL),
      targets: [new LambdaFunction(this.target, { retryAttempts: 0 })],
    });
  }
}
