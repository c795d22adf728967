// Judges the page that is captured: observes it once, and applies all rules to what was seen.

import * as v from "valibot";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { formatKind } from "../../contract/options/formats.ts";
import { scriptWithoutGlyph } from "../browser/missing-glyphs.ts";
import type { Area } from "../geometry/area.ts";
import type * as observation from "../injected/observation/observe-page.ts";
import type { ObservedLoader, PageObservation } from "../injected/observation/observe-page.ts";
import type { RecordedPage } from "../page/error-recorder.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { areaSchema } from "../page/result-schemas.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import { listPhrases } from "./phrase-search.ts";
import { loading } from "./phrases.ts";
import { addProblem } from "./problem-record.ts";
import type { Finding, JudgedPage } from "./problem-rule.ts";
import { problemRules } from "./problem-rules.ts";

/** Longest wait for the page; one too busy to answer is not judged. Its picture waits for the same thread. */
const OBSERVATION_MS = 5_000;

/** A page of this size takes about 30 ms; of a larger one a sample of the elements is looked at. */
const LIMITS = { elements: 3_500, texts: 120, characters: 300, entries: 60 };

/** What is searched for characters without a glyph. A page of this size takes about 20 ms. */
const GLYPH_LIMITS = { elements: 20_000, texts: 20_000, characters: 2_000_000, measured: 500 };

const loadingPhrases = listPhrases(loading);

/** An area that ends within so many windows needs no look at the rest of the page. */
const NEAR_WINDOWS = 1.5;

export interface Judging {
  /** True when all of the page is captured, not only its area. */
  readonly isWhole: boolean;
  /** The frame of a video that the page shows; undefined for other results. */
  readonly frame?: "first" | "last";
  /** The loaders that the picture shows, of those that the page has now. @default - all of them */
  readonly selectLoaders?: (loaders: readonly ObservedLoader[]) => Promise<readonly ObservedLoader[]>;
}

/** Adds the problems of the page as it is now. Returns what was observed; undefined for a page that is too busy to answer. */
export async function judgePage(
  page: RecordedPage & { readonly area: Area; readonly options: EngineOptions },
  { isWhole, frame, selectLoaders }: Judging,
): Promise<PageObservation | undefined> {
  const { session, budget, now, activity, options } = page;
  // Nothing else can be said of a page that isn't there.
  if (page.problems.some(({ code }) => code === "BOT_CHALLENGE")) return undefined;
  const kind = formatKind(options.format);
  const part = isWhole ? wholePart(options) : { from: page.area.y, to: page.area.y + page.area.height };
  const glyphs = { pattern: session.missingGlyphs.pattern, limits: GLYPH_LIMITS, ...part };
  const request = {
    limits: LIMITS,
    loadingPhrases,
    glyphs: kind === "document" ? null : glyphs,
    errorChannel: page.errorRecorder?.channel ?? null,
    isWhole: isWhole || page.area.y + page.area.height > NEAR_WINDOWS * page.window.height,
  };
  const observing = evaluateInIsolatedWorld(page, observePageInPage, request);
  const found = await withTimeout(observing, softAllowance(budget, now(), OBSERVATION_MS)).catch(() => undefined);
  if (!found) return undefined;
  const observed = { ...found, loaders: (await selectLoaders?.(found.loaders)) ?? found.loaders };
  const scripts = new Map<string, number>();
  for (const [character, count] of observed.glyphs) {
    const script = scriptWithoutGlyph(session.missingGlyphs, character.codePointAt(0) ?? 0);
    if (script !== undefined) scripts.set(script, (scripts.get(script) ?? 0) + count);
  }
  const height = options.full_page
    ? Math.min(observed.page.height, options.full_page_max_height)
    : observed.page.height;
  const judged: JudgedPage = {
    observed,
    options,
    kind,
    area: isWhole ? { x: 0, y: 0, width: Math.max(observed.page.width, observed.window.width), height } : page.area,
    isWhole,
    status: options.url === undefined ? undefined : activity.document.response?.status,
    url: activity.document.url,
    failures: activity.failures,
    brokenImages: activity.brokenImages,
    pending: activity.pending(),
    scriptsWithoutGlyphs: scripts,
  };
  for (const { code, find, isJudged } of problemRules) {
    if (isJudged && !isJudged(judged)) continue;
    const finding = find(judged);
    if (finding) addProblem(page, code, frame ? inFrame(finding, frame) : finding, options);
  }
  return observed;
}

/** The part of a page that is captured as a whole. */
function wholePart({ full_page, full_page_max_height }: EngineOptions): { readonly to?: number } {
  return full_page ? { to: full_page_max_height } : {};
}

function inFrame(finding: Finding, frame: "first" | "last"): Finding {
  return { ...finding, evidence: { ...finding.evidence, frame } };
}

const partSchema = { selector: v.string(), area: areaSchema };

export const observePageInPage: PageFunction<typeof observation.observePage> = pageFunction(
  "observation",
  "observePage",
  {
    result: v.object({
      elements: v.number(),
      looked: v.number(),
      isSampled: v.boolean(),
      title: v.string(),
      window: v.object({ width: v.number(), height: v.number(), y: v.number() }),
      page: v.object({ width: v.number(), height: v.number() }),
      mainWords: v.number(),
      allWords: v.number(),
      mainMedia: v.number(),
      mediaShare: v.number(),
      texts: v.array(
        v.object({
          ...partSchema,
          text: v.string(),
          words: v.number(),
          fontSize: v.number(),
          isHeading: v.boolean(),
          isEdge: v.boolean(),
          isInLayer: v.boolean(),
          isControl: v.boolean(),
          isCode: v.boolean(),
        }),
      ),
      fields: v.array(v.object({ ...partSchema, words: v.string(), isPassword: v.boolean(), isEdge: v.boolean() })),
      controls: v.array(v.object({ ...partSchema, label: v.string(), isLink: v.boolean(), isEdge: v.boolean() })),
      images: v.array(
        v.object({ ...partSchema, state: v.picklist(["shown", "failed", "pending", "unknown"]), url: v.string() }),
      ),
      loaders: v.array(
        v.object({
          ...partSchema,
          kind: v.picklist(["spinner", "skeleton", "progress", "busy", "text", "chart"]),
          region: areaSchema,
          regionShare: v.number(),
          text: v.string(),
        }),
      ),
      layers: v.array(
        v.object({
          ...partSchema,
          uniqueSelector: v.nullable(v.string()),
          name: v.string(),
          position: v.string(),
          share: v.number(),
          text: v.string(),
          labels: v.array(v.string()),
          links: v.number(),
          fields: v.number(),
          hasMedia: v.boolean(),
          hasLandmarks: v.boolean(),
          isDialog: v.boolean(),
          isModal: v.boolean(),
          isBackdrop: v.boolean(),
          isEdge: v.boolean(),
          coveredWords: v.number(),
          coveredMedia: v.number(),
        }),
      ),
      cuts: v.array(
        v.object({
          ...partSchema,
          uniqueSelector: v.nullable(v.string()),
          hiddenPixels: v.number(),
          hiddenWords: v.number(),
          direction: v.picklist(["down", "across"]),
          canScroll: v.boolean(),
          text: v.string(),
        }),
      ),
      overflow: v.object({
        pixels: v.number(),
        width: v.number(),
        selector: v.string(),
        area: v.nullable(areaSchema),
      }),
      emptyRoots: v.array(v.object(partSchema)),
      hasScripts: v.boolean(),
      errors: v.array(v.string()),
      fonts: v.array(v.object({ family: v.string(), isFailed: v.boolean(), isUsed: v.boolean() })),
      glyphs: v.array(v.tuple([v.string(), v.number()])),
      hasFadedText: v.boolean(),
    }),
  },
);
