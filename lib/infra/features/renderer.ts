// The renderer: Chromium in a function whose role can write its log and nothing else, for the functions that capture.
import { Duration, Size } from "aws-cdk-lib";
import { TenancyConfig } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { ResultsBucket } from "../data/results-bucket.ts";
import { type BrowserLayers, browserProps, setLayerFolders } from "../functions/browser-layers.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface RendererProps extends FeatureProps<"egress" | "results"> {
  readonly layers: BrowserLayers;
}

/** It has no grants beyond what Lambda itself needs (log, network, traces): what a capture needs comes with its call, and its result goes back with the response. */
export class RendererFunction extends ServiceFunction {
  readonly #isolatesTenants: boolean;
  readonly #tenantPool: number | undefined;
  readonly #limits: string;
  readonly #memoryMb: number;
  readonly #results: ResultsBucket;

  constructor(scope: Construct, id: string, { stage, data, layers }: RendererProps) {
    super(scope, id, {
      stage,
      file: "renderer",
      memorySize: stage.browserMemoryMb,
      timeout: Duration.seconds(120),
      // The unpacked browser takes 220 MB; its shared memory and the frames of a video come on top.
      ephemeralStorageSize: Size.mebibytes(2048),
      ...data.egress?.placement,
      ...browserProps(layers),
      ...(stage.tenantIsolation && { tenancyConfig: TenancyConfig.PER_TENANT }),
    });
    setLayerFolders(this);
    this.#isolatesTenants = stage.tenantIsolation;
    this.#tenantPool = stage.tenantPool;
    this.#limits = JSON.stringify(stage.captureLimits);
    this.#memoryMb = stage.browserMemoryMb;
    this.#results = data.results;
    this.setEnvironment("CAPTURE_LIMITS", this.#limits);
    this.allowOrigins(stage);
  }

  /** Lets a function have its captures rendered here. */
  grantRender(fn: ServiceFunction): void {
    this.#grantInvoke(fn);
    fn.setEnvironment("RENDERER_MEMORY_MB", String(this.#memoryMb)); // for the estimate of its cost
    fn.setEnvironment("CAPTURE_LIMITS", this.#limits); // a larger result isn't accepted
    this.#results.grantTransferRenderings(fn);
  }

  /** Lets a function have images made smaller here, which it can't decode itself. */
  grantMakePictures(fn: ServiceFunction): void {
    this.#grantInvoke(fn);
  }

  #grantInvoke(fn: ServiceFunction): void {
    this.grantInvokeBy(fn, "RENDERER_FUNCTION");
    fn.setEnvironment("TENANT_ISOLATION", this.#isolatesTenants ? "on" : "off");
    if (this.#tenantPool !== undefined) fn.setEnvironment("TENANT_POOL", String(this.#tenantPool));
  }
}
