// The plan of a capture: its steps in order, computed from the options alone. It reads as the list of features.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import type { PhaseStep } from "../step-registry.ts";
import { blockContent, closeOverlays } from "./blocking.ts";
import { captureDocument, checkPage, completeStyles, finishBeforeReading, readMetadata } from "./document.ts";
import { captureImage, encodeImage, verifyImage } from "./image.ts";
import { confirmDocument, navigateToInput, waitForChallenge } from "./navigation.ts";
import { capturePdf } from "./pdf.ts";
import type { PlanVariant } from "./plan-variant.ts";
import { emulateVisitor, sendWithRequests, startBrowser } from "./preparation.ts";
import { holdStill, hoverElement, interact, scrollPage, waitForCondition } from "./readiness.ts";
import { encodeVideo, recordVideo } from "./video.ts";

/** The steps of a capture, in the phases in which the pipeline runs them. */
export interface Plan {
  readonly prepare: readonly PhaseStep<"prepare">[];
  readonly navigate: PhaseStep<"navigate">;
  readonly ready: readonly PhaseStep<"ready">[];
  readonly confirm: PhaseStep<"confirm">;
  readonly capture: readonly PhaseStep<"capture">[];
  readonly verify: readonly PhaseStep<"verify">[];
  readonly encode: readonly PhaseStep<"encode">[];
}

/**
 * Plans a capture. To add an option, add its step here; to add a step, write its file in `steps/` and list it in
 * `step-registry.ts`.
 */
export function planCapture(options: CaptureOptions, variant: PlanVariant = {}): Plan {
  const { isRealTime = false, settlesInRealTime = false, onlyHides = false } = variant;
  return {
    prepare: [
      ...startBrowser(options),
      ...emulateVisitor(options),
      ...blockContent(options, { onlyHides }),
      ...sendWithRequests(options, { isRealTime, settlesInRealTime }),
    ],
    navigate: navigateToInput(options),
    ready: [
      { name: "wait-for-load", conditions: options.wait_until },
      ...waitForChallenge(options),
      ...closeOverlays(options, { onlyHides }),
      ...interact(options),
      ...waitForCondition(options),
      ...closeLateOverlays(options, { onlyHides }),
      ...scrollPage(options),
      ...hoverElement(options),
      ...holdStill(options),
    ],
    confirm: confirmDocument(options),
    capture: [
      ...completeStyles(options),
      ...finishBeforeReading(options),
      ...checkPage(options),
      ...readMetadata(options),
      ...captureImage(options),
      ...recordVideo(options, { isRealTime }),
      ...capturePdf(options),
      ...captureDocument(options),
    ],
    verify: [...verifyImage(options)],
    encode: [...encodeImage(options), ...encodeVideo(options)],
  };
}

/** Overlays may appear while the caller's own waits last. */
function* closeLateOverlays(options: CaptureOptions, { onlyHides }: { readonly onlyHides: boolean }) {
  if ([...waitForCondition(options)].length > 0) yield* closeOverlays(options, { onlyHides });
}
