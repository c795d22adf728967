// The properties of a function that captures: those of Chromium, where it runs Chromium itself, or those of a caller of the renderer.
import { Size } from "aws-cdk-lib";
import { callerBundle } from "../bundling/caller-bundle.ts";
import type { ServiceData } from "../data/data-stack.ts";
import type { RendererFunction } from "../features/renderer.ts";
import { type BrowserLayers, browserProps, setLayerFolders } from "./browser-layers.ts";
import type { ServiceFunction, ServiceFunctionProps } from "./service-function.ts";

/** What renders the captures of a function: another function, or Chromium of these layers. */
export type Rendering = { readonly renderer: RendererFunction } | { readonly layers: BrowserLayers };

/**
 * Memory of a function that waits for the renderer, in MB. It is billed for as long as the renderer works. The result is in it as a whole:
 * 195 MB were used at most with one of 60 MB.
 */
export const CALLER_MEMORY_MB = 512;

interface EmbeddedProps {
  /** Packages with native code that a caller of the renderer needs. @default - none */
  readonly nativePackages?: readonly string[] | undefined;
  readonly memorySize: number;
  readonly ephemeralStorageMb: number;
  readonly data?: Partial<Pick<ServiceData, "egress">>;
}

/** Properties of a function that captures. `embedded` says what it needs, most of it where it runs Chromium itself. */
export function renderingProps(
  rendering: Rendering,
  embedded: EmbeddedProps,
): Omit<Partial<ServiceFunctionProps>, "stage" | "file"> {
  if ("renderer" in rendering) return { memorySize: CALLER_MEMORY_MB, bundle: callerBundle(embedded.nativePackages) };
  return {
    memorySize: embedded.memorySize,
    ephemeralStorageSize: Size.mebibytes(embedded.ephemeralStorageMb),
    ...embedded.data?.egress?.placement,
    ...browserProps(rendering.layers),
  };
}

/** Tells a function where its renderer or its layers are. */
export function setRendering(fn: ServiceFunction, rendering: Rendering): void {
  if ("renderer" in rendering) rendering.renderer.grantRender(fn);
  else setLayerFolders(fn);
}
