// The Lambda layers of the functions that run Chromium: the packed browser, the fonts and the filter lists, as data files.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { AssetHashType } from "aws-cdk-lib";
import { Architecture, Code, type ILayerVersion, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import { buildChromiumLayer } from "../../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../../layers/fonts/build.ts";
import { BROWSER_THREADS } from "./browser-threads.ts";
import type { ServiceFunction, ServiceFunctionProps } from "./service-function.ts";

export interface BrowserLayers {
  /** The packed Chromium at `/opt/chromium`, which a function unpacks while it starts. */
  readonly chromium: ILayerVersion;
  /** Font files and fontconfig's cache at `/opt/fonts`. */
  readonly fonts: ILayerVersion;
  /** Filter lists and consent rules at `/opt/blocking`, read by the first capture that needs them. */
  readonly blocking: ILayerVersion;
}

/** The part of the properties that all functions with Chromium share: the layers, sharp, which encodes images, and the watchdog. */
export function browserProps({ chromium, fonts, blocking }: BrowserLayers) {
  return {
    bundle: {
      nativePackages: ["sharp"],
      threads: BROWSER_THREADS,
      withPageScripts: true,
    },
    layers: [chromium, fonts, blocking],
  } satisfies Partial<ServiceFunctionProps>;
}

/** Notifies a function where Lambda mounts the layers. */
export function setLayerFolders(fn: ServiceFunction): void {
  fn.setEnvironment("CHROMIUM_FILES", "/opt/chromium");
  fn.setEnvironment("FONT_FILES", "/opt/fonts");
  fn.setEnvironment("BLOCKING_FILES", "/opt/blocking");
}

/** Builds what is not built yet, and adds the layers to the stack of the functions that use them. */
export function addBrowserLayers(stack: Construct): BrowserLayers {
  return {
    chromium: new DataLayer(stack, "Chromium", {
      title: "Chromium",
      assetName: "chromium-layer",
      folder: buildChromiumLayer(),
      architecture: Architecture.X86_64,
    }),
    fonts: new DataLayer(stack, "Fonts", { title: "Fonts", assetName: "fonts-layer", folder: buildFontsLayer() }),
    blocking: new DataLayer(stack, "Blocking", {
      title: "Filter lists",
      assetName: "blocking-layer",
      folder: buildBlockingLayer(),
    }),
  };
}

interface DataLayerProps {
  /** First words of the layer's description. */
  readonly title: string;
  /** Part of the asset's hash, so that folders of two layers with the same name stay two assets. */
  readonly assetName: string;
  /** Folder of the built files. Its name is a hash of the inputs of the build. */
  readonly folder: string;
  /** @default - any */
  readonly architecture?: Architecture;
}

class DataLayer extends LayerVersion {
  constructor(scope: Construct, id: string, { title, assetName, folder, architecture }: DataLayerProps) {
    super(scope, id, {
      description: `${title} ${basename(folder)}`,
      code: Code.fromAsset(folder, {
        // Hashing the content (80 MB of Chromium) would slow down every synth, and a machine whose zstd packs slightly
        // differently would publish a new layer version.
        assetHashType: AssetHashType.CUSTOM,
        assetHash: createHash("sha256")
          .update(`${assetName}/${basename(folder)}`)
          .digest("hex"),
      }),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      ...(architecture !== undefined && { compatibleArchitectures: [architecture] }),
    });
  }
}
