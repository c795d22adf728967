// What the stacks contain in addition to the bundles of functions: the layers and the website.
import { blockingLayer } from "../../layers/blocking/build.ts";
import { chromiumLayer } from "../../layers/chromium/build.ts";
import { fontsLayer } from "../../layers/fonts/build.ts";
import { siteArtifact } from "../site/site-artifact.ts";

/** The app builds those that are missing one after the other; `synthesizeInStages` builds them in parallel. */
export const artifacts = [chromiumLayer, blockingLayer, siteArtifact, fontsLayer];

/** Those that a capture needs. */
export const captureArtifacts = artifacts.filter((artifact) => artifact !== siteArtifact);

/** The files in `functions/` that answer a capture, for a synthesis with the context `bundles`. */
export const CAPTURE_BUNDLES = "renderer,screenshot";
