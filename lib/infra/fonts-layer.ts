// The layer with the fonts: plain files at /opt/fonts, and the cache that spares a launch reading them.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { AssetHashType } from "aws-cdk-lib";
import { Code, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { buildFontsLayer } from "../../layers/fonts/build.ts";

export class FontsLayer extends LayerVersion {
  constructor(scope: Construct, id: string) {
    const folder = buildFontsLayer();
    super(scope, id, {
      description: `Fonts ${basename(folder)}`,
      code: Code.fromAsset(folder, {
        // The folder's name is a hash of all that its content depends on.
        assetHashType: AssetHashType.CUSTOM,
        assetHash: createHash("sha256")
          .update(`fonts-layer/${basename(folder)}`)
          .digest("hex"),
      }),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
    });
  }
}
