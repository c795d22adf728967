// `POST /try`: captures pages for visitors of the website, who have no account.
import { Duration, Size } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { type BrowserLayers, browserProps, setLayerFolders } from "../functions/browser-layers.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface TryProps extends FeatureProps<"usage" | "activity" | "egress"> {
  readonly layers: BrowserLayers;
}

/**
 * A function of its own, since anyone can have it open a page: it can read and write the pictures and counters of these captures, and
 * nothing of an account. Private origins that the stage allows are not for visitors.
 */
export class TryFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data, layers }: TryProps) {
    super(scope, id, {
      stage,
      file: "try",
      memorySize: stage.browserMemoryMb,
      timeout: Duration.seconds(45),
      ephemeralStorageSize: Size.mebibytes(1024),
      ...data.egress?.placement,
      ...browserProps(layers),
    });
    setLayerFolders(this);
    const { perDay, atOnce } = stage.keylessCaptures;
    this.setEnvironment("CAPTURE_LIMITS", JSON.stringify(stage.captureLimits));
    this.setEnvironment("KEYLESS_CAPTURES_PER_DAY", String(perDay));
    this.setEnvironment("MAX_CONCURRENT_KEYLESS_CAPTURES", String(atOnce));
    data.usage.grantLimitKeyless(this);
    data.activity.grantStoreKeylessPictures(this);
  }
}
