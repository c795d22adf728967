// A rule finds one problem in what was observed of a page. It reads nothing itself, so that one look serves all rules.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type { FormatKind } from "../../contract/options/formats.ts";
import type { Problem } from "../../contract/problems/problem.ts";
import type { ProblemCode } from "../../contract/problems/problem-kinds.ts";
import type { Area } from "../geometry/area.ts";
import type { PageObservation } from "../injected/observation/observe-page.ts";
import type { FailedRequest } from "../page/page-requests.ts";

/** What the rules judge: the observation of the page, and what is known of it from outside. */
export interface JudgedPage {
  readonly observed: PageObservation;
  readonly options: EngineOptions;
  readonly kind: FormatKind;
  /** The captured part of the page, in CSS pixels. */
  readonly area: Area;
  /** True when all of the page is captured. */
  readonly isWhole: boolean;
  /** HTTP status of the page; undefined for HTML and Markdown of the caller. */
  readonly status: number | undefined;
  readonly url: string;
  readonly failures: readonly FailedRequest[];
  /** Requests for images whose responses are something else. */
  readonly brokenImages: ReadonlySet<string>;
  /** URLs of requests without a response. */
  readonly pending: readonly string[];
  /** The scripts of the characters without a glyph, with their numbers. */
  readonly scriptsWithoutGlyphs: ReadonlyMap<string, number>;
}

/** What a rule has found. */
export interface Finding {
  readonly message: string;
  readonly evidence: Problem["evidence"];
  /** Options that may help, the best first. The first one that is not in effect is suggested. */
  readonly fixes?: readonly Readonly<Record<string, unknown>>[];
  /** True where the message is a warning of the capture, too. */
  readonly isWarned?: true;
  /** @default - that of the code */
  readonly severity?: Problem["severity"];
  /** @default - that of the code */
  readonly penalty?: number;
}

export interface ProblemRule {
  readonly code: ProblemCode;
  /** Undefined where the page does not have the problem. */
  readonly find: (page: JudgedPage) => Finding | undefined;
  /** @default - all captures */
  readonly isJudged?: (page: JudgedPage) => boolean;
}

/** True for captures that show how the page looks. */
export function isVisual({ kind }: JudgedPage): boolean {
  return kind !== "document";
}

/** The share of `part` that the captured area has, 0 to 1. */
export function shareIn(part: Area, area: Area): number {
  const across = Math.min(part.x + part.width, area.x + area.width) - Math.max(part.x, area.x);
  const down = Math.min(part.y + part.height, area.y + area.height) - Math.max(part.y, area.y);
  const own = part.width * part.height;
  return across > 0 && down > 0 && own > 0 ? (across * down) / own : 0;
}

/** A rectangle of whole pixels, for evidence. */
export function rectangle({ x, y, width, height }: Area): Area {
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

/** Text of a page as a message quotes it. */
export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return `“${short.toWellFormed()}”`;
}
