// `GET /storage/{key}`: stored results behind signed links.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class StorageFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "results">) {
    // A client with 1 Mbit/s takes 48 s to read the largest result that is streamed.
    super(scope, id, { stage, file: "storage", timeout: Duration.seconds(120) });
    this.setEnvironment("MAX_STREAMED_RESULT_BYTES", String(stage.maxStreamedResultBytes));
    this.setEdgeCache(stage);
    data.accounts.grantReadLinkSecret(this);
    data.results.grantRead(this);
  }
}
