// What a capture does, in order: the product as a list of named steps, computed from the options alone.
import type { CaptureOptions } from "../contract/capture-options.ts";
import type { ImageFormat } from "./image.ts";
import type { Phase } from "./phase-clock.ts";

export type LoadCondition = CaptureOptions["wait_until"][number];

export type Step =
  | {
      readonly name: "emulate";
      readonly width: number;
      readonly height: number;
      readonly scale: number;
      readonly dark?: boolean;
    }
  | { readonly name: "open-url"; readonly url: string; readonly acceptErrorStatus: boolean }
  | { readonly name: "write-html"; readonly html: string }
  | { readonly name: "write-markdown"; readonly markdown: string }
  | { readonly name: "await-load"; readonly conditions: readonly LoadCondition[] }
  | { readonly name: "pause"; readonly seconds: number }
  | { readonly name: "confirm-document"; readonly acceptErrorStatus: boolean }
  | { readonly name: "frame-window" }
  | { readonly name: "frame-page" }
  | { readonly name: "frame-element"; readonly selector: string }
  | { readonly name: "shoot"; readonly format: ImageFormat; readonly quality: number; readonly transparent: boolean }
  | { readonly name: "encode" };

export type StepName = Step["name"];
export type StepOf<N extends StepName> = Extract<Step, { name: N }>;

/** The phase under which a step's time is reported. */
export const phaseOf: Readonly<Record<StepName, Phase>> = {
  emulate: "browser",
  "open-url": "navigate",
  "write-html": "navigate",
  "write-markdown": "navigate",
  "await-load": "settle",
  pause: "settle",
  "confirm-document": "settle",
  "frame-window": "capture",
  "frame-page": "capture",
  "frame-element": "capture",
  shoot: "capture",
  encode: "encode",
};

const DEFAULT_QUALITY = 80;

/** The steps of a capture. Adding an option means adding its step here and what the step does in `steps.ts`. */
export function plan(options: CaptureOptions): readonly Step[] {
  const acceptErrorStatus = options.ignore_host_errors;
  return [
    {
      name: "emulate",
      width: options.viewport_width,
      height: options.viewport_height,
      scale: options.device_scale_factor,
      ...(options.dark_mode !== undefined && { dark: options.dark_mode }),
    },
    arrival(options),
    { name: "await-load", conditions: options.wait_until },
    ...(options.delay > 0 ? [{ name: "pause", seconds: options.delay } as const] : []),
    { name: "confirm-document", acceptErrorStatus },
    framing(options),
    {
      name: "shoot",
      format: options.format,
      quality: options.image_quality ?? DEFAULT_QUALITY,
      transparent: options.omit_background,
    },
    { name: "encode" },
  ];
}

function arrival(options: CaptureOptions): Step {
  if (options.html !== undefined) return { name: "write-html", html: options.html };
  if (options.markdown !== undefined) return { name: "write-markdown", markdown: options.markdown };
  return { name: "open-url", url: options.url ?? "", acceptErrorStatus: options.ignore_host_errors };
}

function framing(options: CaptureOptions): Step {
  if (options.selector !== undefined) return { name: "frame-element", selector: options.selector };
  return options.full_page ? { name: "frame-page" } : { name: "frame-window" };
}
