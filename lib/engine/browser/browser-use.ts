// What the browser of a capture is launched for: how it paints, and whether a video needs further memory.
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { isVideoFormat } from "../../contract/options/formats.ts";
import type { BrowserSession } from "./browser.ts";
import type { FrameMode } from "./chromium-flags.ts";

export interface BrowserUse {
  readonly frameMode: FrameMode;
  /** True when a video is recorded: its encoder runs in a second browser, which needs memory too. */
  readonly recordsVideo: boolean;
  /** Language of form fields and of the dates in PDF templates, which a running browser cannot change. @default en-US */
  readonly locale?: string;
}

/** Launches a browser with an empty page. */
export type LaunchBrowser = (use: BrowserUse) => Promise<BrowserSession>;

/** What the first browser of a capture is launched for. */
export function browserUseFor(options: EngineOptions): BrowserUse {
  return { frameMode: frameModeFor(options), recordsVideo: isVideoFormat(options.format), locale: options.locale };
}

/**
 * How the browser of a capture paints. On demand (`HeadlessExperimental.beginFrame`), no wait depends on the refresh rate
 * of a screen. With `on_timeout=capture` it paints continuously: only then a page that is too busy has a last frame.
 */
export function frameModeFor({ on_timeout }: EngineOptions): FrameMode {
  return on_timeout === "capture" ? "continuous" : "begin-frame-control";
}
