// Schemas for the results of page scripts: a page may have taken over the process that sends them.
import * as v from "valibot";
import type { IsolatedFunctionName, IsolatedFunctions } from "./injected-scripts.ts";

const area = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });
const point = v.object({ x: v.number(), y: v.number() });
const changing = v.object({ canChange: v.boolean() });
const extract = { text: v.string(), isCut: v.boolean() };

/** One per function with a result. `fontSamples` and `pageFrames` return elements, which are not sent by value. */
const schemas = {
  areTransparent: v.boolean(),
  awaitReveals: v.boolean(),
  awaitHidden: v.nullable(v.boolean()),
  addRules: v.boolean(),
  addSheet: v.boolean(),
  canShowMore: v.boolean(),
  charactersWithoutGlyph: v.array(v.tuple([v.string(), v.number()])),
  checkFrame: v.object({ isHarmed: v.boolean(), content: v.number(), view: v.number() }),
  closeOverlays: v.object({ closed: v.number(), clicked: v.boolean() }),
  containsSuspects: v.boolean(),
  contentHeight: v.number(),
  contentToShow: v.object({ hasContent: v.boolean(), canChange: v.boolean() }),
  collapseScenes: v.array(v.number()),
  countDiscardedViews: v.number(),
  countPendingAssets: v.number(),
  describeView: v.object({
    width: v.number(),
    height: v.number(),
    scrolled: area,
    left: v.number(),
    top: v.number(),
    ignored: v.array(area),
    background: v.array(v.number()),
  }),
  documentMarkup: v.object(extract),
  expandScrollers: v.object({
    scrollers: v.array(v.object({ result: v.picklist(["expanded", "harmful", "virtualized"]), scroller: v.string() })),
    hasFrames: v.boolean(),
    board: v.nullable(v.object({ element: v.string(), shownWidth: v.number(), width: v.number() })),
    isSampled: v.boolean(),
  }),
  findBlankCanvases: v.number(),
  findElements: v.object({
    areas: v.array(v.nullable(area)),
    invalid: v.nullable(v.string()),
    hidden: v.boolean(),
  }),
  findPinnedScenes: v.array(v.object({ top: v.number(), end: v.number(), space: v.number(), middle: v.number() })),
  growFrame: v.boolean(),
  findUnmatched: v.array(v.string()),
  hasClickEffect: v.boolean(),
  hideElements: v.nullable(v.string()),
  holdStill: v.object({ isLoading: v.boolean(), hasForeignFrames: v.boolean() }),
  isFrameset: v.boolean(),
  isInWindow: v.boolean(),
  isolate: v.boolean(),
  measureFrame: v.object({ content: v.number(), view: v.number() }),
  neutraliseFixed: v.object({ refused: v.array(v.string()), isSampled: v.boolean() }),
  offsetFixed: v.boolean(),
  offsetsToVisit: v.array(v.number()),
  playsScenes: v.boolean(),
  pointOver: v.nullable(point),
  prefersDark: v.boolean(),
  readHead: v.object({
    title: v.string(),
    openGraph: v.array(v.tuple([v.string(), v.string()])),
    icons: v.array(v.object({ url: v.string(), isTouchIcon: v.boolean(), type: v.string(), sizes: v.string() })),
  }),
  readLinks: v.object({ links: v.array(v.object({ url: v.string(), text: v.string() })), found: v.number() }),
  readPageRules: v.object({
    width: v.nullable(v.number()),
    height: v.nullable(v.number()),
    orientation: v.nullable(v.picklist(["portrait", "landscape"])),
    marginLeft: v.nullable(v.number()),
    marginRight: v.nullable(v.number()),
  }),
  readScriptChanges: v.object({ hasMutated: v.boolean(), requestsFrames: v.boolean() }),
  readShortPage: v.nullable(
    v.object({
      title: v.string(),
      text: v.string(),
      loads: v.string(),
      matched: v.array(v.boolean()),
      hasFields: v.boolean(),
      canChange: v.boolean(),
    }),
  ),
  readText: v.object(extract),
  readiness: changing,
  removeOverlays: v.number(),
  restoreInView: v.array(area),
  restoreScroll: v.boolean(),
  sceneAreas: v.array(area),
  scrollByStep: v.object({
    moved: v.boolean(),
    position: v.number(),
    height: v.number(),
    canGrow: v.boolean(),
    hasFrames: v.boolean(),
    showsPlaceholder: v.boolean(),
  }),
  scrollExtent: v.number(),
  scrollIntoView: v.object({ isDisabled: v.boolean() }),
  scrollToPoint: v.object({ point: v.nullable(point) }),
  scrolledOrigin: v.nullable(point),
  sidesOfWindow: v.object({ right: v.boolean(), bottom: v.boolean() }),
  showSceneAlone: v.nullable(v.object({ area, offset: point })),
  showCanvasAlone: v.nullable(area),
  watchClick: v.boolean(),
  visibleMarkup: v.object({ ...extract, baseUrl: v.string() }),
} satisfies {
  readonly [F in FunctionWithResult]: v.GenericSchema<unknown, IsolatedResult<F>>;
};

export type IsolatedResult<F extends IsolatedFunctionName> = Awaited<ReturnType<IsolatedFunctions[F]>>;

type FunctionWithResult = Exclude<
  { [F in IsolatedFunctionName]: undefined extends IsolatedResult<F> ? never : F }[IsolatedFunctionName],
  "fontSamples" | "pageFrames"
>;

/** Throws for a result that the function does not return. Functions without a result have none, whatever was sent. */
export function parseResult<F extends IsolatedFunctionName>(name: F, value: unknown): IsolatedResult<F> {
  const schema: v.GenericSchema | undefined = name in schemas ? schemas[name as FunctionWithResult] : undefined;
  if (!schema) return undefined as IsolatedResult<F>;
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (!parsed.success) throw new Error(`The page's process sent an invalid result of '${name}'.`);
  return parsed.output as IsolatedResult<F>;
}
