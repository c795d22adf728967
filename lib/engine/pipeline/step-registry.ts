// Every step that a capture can have, in the phases in which the pipeline runs them. To add a step, write its file and list it here.

import type { AnyStepDefinition } from "./step-definition.ts";
import { addStyles } from "./steps/add-styles.ts";
import { analyseImage } from "./steps/analyse-image.ts";
import { applyStealthProfile } from "./steps/apply-stealth.ts";
import { blockRequests } from "./steps/block-requests.ts";
import { bypassCsp } from "./steps/bypass-csp.ts";
import { checkBlank } from "./steps/check-blank.ts";
import { checkContent } from "./steps/check-content.ts";
import { checkGlyphs } from "./steps/check-glyphs.ts";
import { checkRequests } from "./steps/check-requests.ts";
import { click } from "./steps/click.ts";
import { closeConsentBanner } from "./steps/close-consent-banner.ts";
import { closeDialogsStep } from "./steps/close-dialogs.ts";
import { collapsePinned } from "./steps/collapse-pinned-scenes.ts";
import { completeStyles } from "./steps/complete-styles.ts";
import { confirmDocumentStep } from "./steps/confirm-document.ts";
import { cropToViewport } from "./steps/crop-to-viewport.ts";
import { delay } from "./steps/delay.ts";
import { disableJavaScript } from "./steps/disable-javascript.ts";
import { emulateEnvironment } from "./steps/emulate.ts";
import { encodeImage } from "./steps/encode-image.ts";
import { expandScroller } from "./steps/expand-scroller.ts";
import { finishAnimationsStep } from "./steps/finish-animations.ts";
import { fitArea } from "./steps/fit-area-to-video.ts";
import { fitWindow } from "./steps/fit-window-to-video.ts";
import { growWindow } from "./steps/grow-window.ts";
import { hideElementsStep } from "./steps/hide-elements.ts";
import { holdStill } from "./steps/hold-still.ts";
import { hover } from "./steps/hover.ts";
import { isolateElementStep } from "./steps/isolate-element.ts";
import { loadLazyImages } from "./steps/load-lazy-images.ts";
import { navigate } from "./steps/navigate.ts";
import { neutraliseFixedElements } from "./steps/neutralise-fixed.ts";
import { printPdfStep } from "./steps/print-pdf.ts";
import { readMetadataStep } from "./steps/read-metadata.ts";
import { recordEvents } from "./steps/record-events.ts";
import { recordScreencast } from "./steps/record-screencast.ts";
import { recordVideo } from "./steps/record-video.ts";
import { reportVideoSize } from "./steps/report-video-size.ts";
import { restoreInView } from "./steps/restore-in-view.ts";
import { restoreScrollStep } from "./steps/restore-scroll.ts";
import { runScripts } from "./steps/run-scripts.ts";
import { screenshot } from "./steps/screenshot.ts";
import { screenshotSections } from "./steps/screenshot-sections.ts";
import { scrollIntoView } from "./steps/scroll-into-view.ts";
import { scrollPage } from "./steps/scroll-page.ts";
import { selectClip } from "./steps/select-clip.ts";
import { selectElements } from "./steps/select-elements.ts";
import { selectFullPage } from "./steps/select-full-page.ts";
import { selectViewport } from "./steps/select-viewport.ts";
import { setCookiesStep } from "./steps/set-cookies.ts";
import { setHeaders } from "./steps/set-headers.ts";
import { sliceImageStep } from "./steps/slice-image.ts";
import { startAutoconsentStep } from "./steps/start-autoconsent.ts";
import { startEncoder } from "./steps/start-encoder.ts";
import { startFrames } from "./steps/start-frames.ts";
import { startPageClock } from "./steps/start-page-clock.ts";
import { useProxy } from "./steps/use-proxy.ts";
import { waitForChallengeStep } from "./steps/wait-for-challenge.ts";
import { waitForExpression } from "./steps/wait-for-expression.ts";
import { waitForHidden } from "./steps/wait-for-hidden.ts";
import { waitForLoadStep } from "./steps/wait-for-load.ts";
import { waitForSelector } from "./steps/wait-for-selector.ts";
import { writeDocument } from "./steps/write-document.ts";
import { writeHtml } from "./steps/write-html.ts";
import { writeMarkdown } from "./steps/write-markdown.ts";

export const steps = {
  /** Before the page is requested. */
  prepare: [
    startEncoder,
    useProxy,
    recordEvents,
    emulateEnvironment,
    applyStealthProfile,
    blockRequests,
    startAutoconsentStep,
    disableJavaScript,
    bypassCsp,
    setHeaders,
    setCookiesStep,
    startFrames,
    startPageClock,
  ],
  /** Bring the document into the browser. */
  navigate: [navigate, writeHtml, writeMarkdown],
  /** Wait for the page and interact with it; repeated when the page navigates while it is captured. */
  ready: [
    waitForLoadStep,
    waitForChallengeStep,
    closeConsentBanner,
    closeDialogsStep,
    restoreScrollStep,
    addStyles,
    hideElementsStep,
    runScripts,
    click,
    waitForSelector,
    waitForHidden,
    waitForExpression,
    delay,
    scrollPage,
    hover,
    holdStill,
  ],
  /** Make sure that the document is the page that was asked for. */
  confirm: [confirmDocumentStep],
  /** Read and capture the page; repeated when it navigates meanwhile or the screenshot has to be retaken. */
  capture: [
    checkContent,
    checkRequests,
    readMetadataStep,
    expandScroller,
    completeStyles,
    finishAnimationsStep,
    restoreInView,
    collapsePinned,
    scrollIntoView,
    neutraliseFixedElements,
    selectViewport,
    selectFullPage,
    selectClip,
    selectElements,
    cropToViewport,
    checkGlyphs,
    screenshot,
    screenshotSections,
    loadLazyImages,
    growWindow,
    fitWindow,
    fitArea,
    recordVideo,
    recordScreencast,
    isolateElementStep,
    printPdfStep,
    writeDocument,
  ],
  /** Decide whether the screenshot has to be retaken. */
  verify: [checkBlank],
  /** Work on the result, without the page. */
  encode: [encodeImage, sliceImageStep, analyseImage, reportVideoSize],
} as const;

export type PipelinePhase = keyof typeof steps;

type Definition = (typeof steps)[PipelinePhase][number];

/** A step of a plan: the name of a definition, and its parameters. */
type StepOf<D> = D extends { readonly name: infer Name; readonly run: (page: never, params: infer Params) => unknown }
  ? { readonly name: Name } & Params
  : never;

/** A step in a phase of the pipeline. */
export type PhaseStep<P extends PipelinePhase> = StepOf<(typeof steps)[P][number]>;

export type Step = PhaseStep<PipelinePhase>;

const definitions: ReadonlyMap<string, Definition> = new Map(
  Object.values(steps)
    .flat()
    .map((definition) => [definition.name, definition]),
);

/** The definition of a step, by its name. */
export function findDefinition<Page, Change>(step: Step): AnyStepDefinition<Page, Change> {
  // A plan pairs each name with the parameters of its definition, which TypeScript cannot follow through the union.
  return definitions.get(step.name) as unknown as AnyStepDefinition<Page, Change>;
}
