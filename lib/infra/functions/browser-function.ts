// A function that renders captures, in the renderer or with Chromium of its own. Its memory is a setting of the stage then.
import { Duration } from "aws-cdk-lib";
import { Architecture } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { grantAssumeRoles } from "./assume-roles.ts";
import { type Rendering, renderingProps, setRendering } from "./rendering-props.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export interface BrowserFunctionProps extends Omit<ServiceFunctionProps, "layers" | "bundle"> {
  readonly rendering: Rendering;
  /** In MB, where it runs Chromium. */
  readonly memorySize: number;
  /** Packages with native code that it needs besides Chromium. @default - none */
  readonly nativePackages?: readonly string[];
  readonly data: Pick<ServiceData, "usage" | "activity" | "results" | "egress">;
}

/** Renders captures, stores them in the bucket of results or in the caller's own, caches and records them. */
export class BrowserFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    id: string,
    { rendering, data, memorySize, nativePackages, ...props }: BrowserFunctionProps,
  ) {
    const { stage } = props;
    super(scope, id, {
      timeout: Duration.seconds(120),
      // Chromium is packed for this architecture only.
      architecture: Architecture.X86_64,
      // Storage of customers is reached from the same addresses as pages.
      ...data.egress?.placement,
      ...props,
      // The unpacked browser takes 220 MB; its shared memory and the frames of a video come on top.
      ...renderingProps(rendering, { memorySize, ephemeralStorageMb: 2048, data, nativePackages }),
    });
    setRendering(this, rendering);
    this.setEnvironment("CAPTURE_LIMITS", JSON.stringify(stage.captureLimits));
    this.allowOrigins(stage);

    data.results.grantStore(this);
    data.results.grantRead(this);
    data.activity.grantCache(this);
    grantRecordCaptures(this, data);
    grantAssumeRoles(this);
  }
}

/** Lets a function record the end of a capture, and release the quota and the slot that were reserved for it. */
export function grantRecordCaptures(fn: ServiceFunction, data: Pick<ServiceData, "usage" | "activity">): void {
  data.usage.grantRecord(fn);
  data.usage.grantHoldSlots(fn);
  data.activity.grantRecord(fn);
}
