// The MCP server: a function that calls the API over HTTP with the caller's key, so its role allows nothing but its log.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** Longer than the 120 s of a capture, whose own error explains a timeout; then the picture is read and resized. */
const TIMEOUT_S = 150;

export class McpFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage }: FeatureProps) {
    super(scope, id, {
      stage,
      file: "mcp",
      timeout: Duration.seconds(TIMEOUT_S),
      memorySize: 1536, // a full page of 100,000 pixels is decoded to be resized
      bundle: { nativePackages: ["sharp"] },
    });
  }
}
