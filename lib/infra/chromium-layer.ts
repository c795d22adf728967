// The layer with the packed Chromium: data files at /opt/chromium, which a function unpacks while it starts.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { AssetHashType } from "aws-cdk-lib";
import { Architecture, Code, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { buildChromiumLayer } from "../../layers/chromium/build.ts";

export class ChromiumLayer extends LayerVersion {
  constructor(scope: Construct, id: string) {
    const folder = buildChromiumLayer();
    super(scope, id, {
      description: `Chromium ${basename(folder)}`,
      code: Code.fromAsset(folder, {
        // The folder's name says all that its content depends on. Hashing 80 MB would cost time at every synth, and a
        // machine whose zstd packs a little differently would publish the layer anew.
        assetHashType: AssetHashType.CUSTOM,
        assetHash: createHash("sha256")
          .update(`chromium-layer/${basename(folder)}`)
          .digest("hex"),
      }),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.X86_64],
    });
  }
}
