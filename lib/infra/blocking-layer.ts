// The layer with what keeps things out of pages: data files at /opt/blocking, read when a capture first needs them.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { AssetHashType } from "aws-cdk-lib";
import { Code, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { buildBlockingLayer } from "../../layers/blocking/build.ts";

export class BlockingLayer extends LayerVersion {
  constructor(scope: Construct, id: string) {
    const folder = buildBlockingLayer();
    super(scope, id, {
      description: `Filter lists ${basename(folder)}`,
      code: Code.fromAsset(folder, {
        // The folder's name is a hash of all that its content depends on.
        assetHashType: AssetHashType.CUSTOM,
        assetHash: createHash("sha256")
          .update(`blocking-layer/${basename(folder)}`)
          .digest("hex"),
      }),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
    });
  }
}
