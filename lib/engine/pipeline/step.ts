// The steps of which every capture is made: what each is called, what it needs to know, and the phase it counts to.

import type { UpstreamProxy } from "../../egress/upstream-proxy.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import type { Purpose } from "../../options/filter-purposes.ts";
import type { DocumentFormat, ImageFormat, VideoFormat } from "../../options/formats.ts";
import type { ResourceType } from "../../options/groups/blocking.ts";
import type { StatusRange } from "../../options/groups/waiting.ts";
import type { Cookie } from "../../options/values/set-cookie.ts";
import type { PageEnvironment } from "../emulation/emulation.ts";
import type { TargetHeaders } from "../emulation/request-headers.ts";
import type { MarkdownTheme } from "../inputs/markdown-style.ts";
import type { WantedMetadata } from "../outputs/metadata/metadata.ts";
import type { PdfSettings } from "../outputs/pdf/pdf.ts";
import type { Area } from "../outputs/screenshot/area.ts";
import type { Resizing } from "../outputs/screenshot/resizing.ts";
import type { Scrolling } from "../outputs/video/scroll-scenario.ts";
import type { WantedSize } from "../outputs/video/video-size.ts";
import type { OverlayClosing } from "../overlays/dialogs.ts";
import type { Phase } from "./phase-clock.ts";

export type LoadCondition = CaptureOptions["wait_until"][number];

/** What is done to an element that must appear first; an `optional` one is done without, with a warning. */
interface OnElement {
  readonly selector: string;
  readonly optional: boolean;
}

/** What becomes of a capture before whose page a wall against robots stands. */
export interface ChallengePolicy {
  /** It is captured, with a warning. */
  readonly tolerated: boolean;
  /** What may help and was not tried, in words. */
  readonly untried: readonly string[];
}

export type Step =
  | { readonly name: "route"; readonly upstream: UpstreamProxy }
  | { readonly name: "record"; readonly wanted: { readonly console: boolean; readonly requests: boolean } }
  | { readonly name: "emulate"; readonly environment: PageEnvironment }
  | { readonly name: "begin-painting"; readonly framesPerSecond: number }
  | { readonly name: "start-encoder" }
  | {
      readonly name: "block";
      readonly purposes: readonly Purpose[];
      readonly requests: readonly string[];
      readonly resources: readonly ResourceType[];
    }
  | { readonly name: "watch-for-consent"; readonly accept: boolean }
  | { readonly name: "close-consent" }
  | ({ readonly name: "close-dialogs" } & OverlayClosing)
  | { readonly name: "unlock-page" }
  | { readonly name: "disable-scripts" }
  | { readonly name: "disguise"; readonly environment: PageEnvironment }
  | { readonly name: "bypass-csp" }
  | { readonly name: "send-headers"; readonly headers: TargetHeaders }
  | { readonly name: "set-cookies"; readonly cookies: readonly Cookie[]; readonly url: string }
  | {
      readonly name: "open-url";
      readonly url: string;
      readonly referer?: string;
      readonly timeoutMs: number;
      readonly refused: readonly StatusRange[];
      readonly wall: ChallengePolicy;
    }
  | { readonly name: "write-html"; readonly html: string; readonly baseUrl?: string }
  | {
      readonly name: "write-markdown";
      readonly markdown: string;
      readonly theme: MarkdownTheme;
      readonly css: string;
      readonly baseUrl?: string;
    }
  | { readonly name: "await-load"; readonly conditions: readonly LoadCondition[] }
  | { readonly name: "pass-wall"; readonly wall: ChallengePolicy; readonly conditions: readonly LoadCondition[] }
  | { readonly name: "add-styles"; readonly styles: readonly string[] }
  | { readonly name: "hide"; readonly selectors: readonly string[] }
  | { readonly name: "run-scripts"; readonly scripts: readonly string[] }
  | ({ readonly name: "click" } & OnElement)
  | { readonly name: "await-selectors"; readonly selectors: readonly string[]; readonly enough: "any" | "all" }
  | { readonly name: "await-hidden"; readonly selector: string }
  | { readonly name: "await-expression"; readonly expression: string }
  | { readonly name: "pause"; readonly seconds: number }
  | {
      readonly name: "scroll-through";
      readonly by: number | undefined;
      readonly delayMs: number | undefined;
      readonly maxHeight: number;
      /** What helps where the page keeps only what is near its window; undefined where the capture is right all the same. */
      readonly virtualizedHelp?: string;
    }
  | ({ readonly name: "hover" } & OnElement)
  | { readonly name: "confirm-document"; readonly refused: readonly StatusRange[]; readonly wall?: ChallengePolicy }
  | { readonly name: "check-content"; readonly contains: readonly string[]; readonly missing: readonly string[] }
  | { readonly name: "check-requests"; readonly patterns: readonly string[] }
  | { readonly name: "read-metadata"; readonly wanted: WantedMetadata }
  | {
      readonly name: "write-document";
      readonly format: DocumentFormat;
      readonly shadowDom: boolean;
      /** Whether what was kept out of the page is among its facts. */
      readonly tellsBlocked: boolean;
    }
  | { readonly name: "scroll-to"; readonly selector: string; readonly adjust: number }
  | { readonly name: "expand-scroller" }
  | { readonly name: "unpin" }
  | {
      readonly name: "finish-animations";
      /** True for a picture of more than the window: what is driven by the scroll position is held as it is in view. */
      readonly areScrollDrivenHeld?: true;
    }
  | { readonly name: "frame-window" }
  | { readonly name: "frame-page"; readonly maxHeight: number }
  | { readonly name: "frame-rectangle"; readonly area: Area }
  | {
      readonly name: "frame-elements";
      readonly selector: string;
      readonly every: boolean;
      readonly padding: number;
      readonly visit: boolean;
      readonly optional: boolean;
    }
  | { readonly name: "crop-to-window" }
  | { readonly name: "load-eagerly" }
  | { readonly name: "grow-window" }
  | { readonly name: "fit-window"; readonly size: WantedSize }
  | { readonly name: "fit-area"; readonly size: WantedSize }
  | { readonly name: "film"; readonly film: Recording }
  | { readonly name: "film-in-real-time"; readonly film: Recording }
  | { readonly name: "study-video" }
  | { readonly name: "shoot"; readonly picture: Picture }
  | { readonly name: "shoot-sections"; readonly freeze: boolean; readonly picture: Picture }
  | { readonly name: "check-blank"; readonly picture: Picture }
  | { readonly name: "check-glyphs"; readonly isWhole: boolean }
  | { readonly name: "compose"; readonly picture: Picture }
  | { readonly name: "slice"; readonly height: number; readonly overlap: number; readonly picture: Picture }
  | { readonly name: "isolate"; readonly selector: string; readonly optional: boolean }
  | { readonly name: "print"; readonly settings: PdfSettings }
  | { readonly name: "study-image"; readonly size: boolean; readonly palette: boolean };

/** How the picture is to be, once its area is known. */
export interface Picture {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly transparent: boolean;
  /** Larger and sooner. */
  readonly fast: boolean;
  readonly resizing?: Resizing;
  /** Needed as pixels after it was taken. */
  readonly study: boolean;
}

/** How a video is to be, once its size is known. */
export interface Recording {
  readonly format: VideoFormat;
  readonly seconds: number;
  readonly fps: number;
  readonly quality: number;
  /** How it moves through the page, unless it stands still. */
  readonly scroll?: Scrolling;
}

export type StepName = Step["name"];
export type StepOf<N extends StepName> = Extract<Step, { name: N }>;

/** The phase under which a step's time is reported. */
export const stepPhase: Readonly<Record<StepName, Phase>> = {
  route: "browser",
  record: "browser",
  emulate: "browser",
  "begin-painting": "browser",
  "start-encoder": "browser",
  block: "browser",
  "watch-for-consent": "browser",
  "disable-scripts": "browser",
  disguise: "browser",
  "close-consent": "settle",
  "close-dialogs": "settle",
  "unlock-page": "settle",
  "bypass-csp": "browser",
  "send-headers": "browser",
  "set-cookies": "browser",
  "open-url": "navigate",
  "write-html": "navigate",
  "write-markdown": "navigate",
  "await-load": "settle",
  "pass-wall": "settle",
  "add-styles": "settle",
  hide: "settle",
  "run-scripts": "settle",
  click: "settle",
  "await-selectors": "settle",
  "await-hidden": "settle",
  "await-expression": "settle",
  pause: "settle",
  "scroll-through": "settle",
  hover: "settle",
  "confirm-document": "settle",
  "check-content": "settle",
  "check-requests": "settle",
  "read-metadata": "capture",
  "write-document": "capture",
  "scroll-to": "capture",
  "expand-scroller": "capture",
  unpin: "capture",
  "finish-animations": "capture",
  "frame-window": "capture",
  "frame-page": "capture",
  "frame-rectangle": "capture",
  "frame-elements": "capture",
  "crop-to-window": "capture",
  "load-eagerly": "settle",
  "grow-window": "capture",
  "fit-window": "capture",
  "fit-area": "capture",
  film: "capture",
  "film-in-real-time": "capture",
  "study-video": "encode",
  shoot: "capture",
  "shoot-sections": "capture",
  isolate: "capture",
  print: "capture",
  "check-blank": "capture",
  "check-glyphs": "capture",
  compose: "encode",
  slice: "encode",
  "study-image": "encode",
};
