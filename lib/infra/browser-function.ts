// A function that runs Chromium: more memory, more disk, more time, and the layers with its data.
import { Duration, Size } from "aws-cdk-lib";
import { Architecture, type ILayerVersion } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./function.ts";

export interface BrowserFunctionProps extends ServiceFunctionProps {
  readonly chromium: ILayerVersion;
  readonly fonts: ILayerVersion;
  readonly blocking: ILayerVersion;
}

export class BrowserFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { chromium, fonts, blocking, ...props }: BrowserFunctionProps) {
    const { stage } = props;
    super(scope, id, {
      memorySize: stage.browserMemoryMb,
      timeout: Duration.seconds(120),
      // The unpacked browser takes 220 MB; its shared memory and the frames of a video come on top.
      ephemeralStorageSize: Size.mebibytes(2048),
      // Chromium is packed for this architecture only.
      architecture: Architecture.X86_64,
      ...(stage.browserConcurrency !== undefined && { reservedConcurrentExecutions: stage.browserConcurrency }),
      ...props,
      bundle: { nativePackages: ["sharp"] },
      layers: [chromium, fonts, blocking, ...(props.layers ?? [])],
    });

    this.provide("CHROMIUM_FILES", "/opt/chromium");
    this.provide("FONT_FILES", "/opt/fonts");
    this.provide("BLOCKING_FILES", "/opt/blocking");
    this.provide("CAPTURE_LIMITS", JSON.stringify(stage.captureLimits));
    this.provideAllowedOrigins(stage);
  }
}
