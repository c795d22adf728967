// The MCP server: a function that calls the API over HTTP with the caller's key. Its role allows nothing but its log, and to have the
// renderer make pictures, where the stage has one.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { callerBundle } from "../bundling/caller-bundle.ts";
import { CALLER_MEMORY_MB } from "../functions/rendering-props.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";
import type { RendererFunction } from "./renderer.ts";

/** Longer than the 120 s of a capture, whose own error explains a timeout; then the picture is read and resized. */
const TIMEOUT_S = 150;

export interface McpProps extends FeatureProps {
  readonly renderer: RendererFunction | undefined;
}

export class McpFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, renderer }: McpProps) {
    super(scope, id, {
      stage,
      file: "mcp",
      timeout: Duration.seconds(TIMEOUT_S),
      ...(renderer
        ? { memorySize: CALLER_MEMORY_MB, bundle: callerBundle() }
        : { memorySize: 1536, bundle: { nativePackages: ["sharp"] } }), // a full page of 100,000 pixels is decoded to be resized
    });
    renderer?.grantMakePictures(this);
  }
}
