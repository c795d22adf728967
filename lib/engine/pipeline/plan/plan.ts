// The plan of a capture: its steps in order, computed from the options alone. It reads as the list of features.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import type {
  CaptureStep,
  ConfirmStep,
  EncodeStep,
  NavigateStep,
  PrepareStep,
  ReadyStep,
  VerifyStep,
} from "../step.ts";
import { planBlocking, planOverlays, planScripting } from "./blocking.ts";
import {
  planChecks,
  planDocument,
  planMetadata,
  planPdfCheck,
  planReading,
  planReport,
  planStyles,
} from "./document.ts";
import { planEncoding, planImage, planVerification } from "./image.ts";
import { planChallenge, planConfirmation, planDiagrams, planNavigation } from "./navigation.ts";
import { planPdf } from "./pdf.ts";
import type { PlanVariant } from "./plan-variant.ts";
import { planBrowser, planRequests, planVisitor } from "./preparation.ts";
import {
  planHover,
  planInteraction,
  planLoad,
  planScrolling,
  planStillness,
  planVisit,
  planWaits,
} from "./readiness.ts";
import { planVideo, planVideoEncoding } from "./video.ts";

/** The steps of a capture, in the phases in which the pipeline runs them. */
export interface CapturePlan {
  readonly prepare: readonly PrepareStep[];
  readonly navigate: NavigateStep;
  readonly ready: readonly ReadyStep[];
  readonly confirm: ConfirmStep;
  readonly capture: readonly CaptureStep[];
  readonly verify: readonly VerifyStep[];
  readonly encode: readonly EncodeStep[];
}

/** Plans a capture. To add an option, add its step here. */
export function planCapture(options: EngineOptions, variant: PlanVariant = {}): CapturePlan {
  const { isRealTime = false, settlesInRealTime = false, onlyHides = false } = variant;
  return {
    prepare: [
      ...planBrowser(options),
      ...planVisitor(options),
      ...planBlocking(options, { onlyHides }),
      ...planScripting(options),
      ...planRequests(options, { isRealTime, settlesInRealTime }),
    ],
    navigate: planNavigation(options),
    ready: [
      ...planLoad(options),
      ...planDiagrams(options),
      ...planChallenge(options),
      ...planOverlays(options, { onlyHides }),
      ...planInteraction(options),
      ...planWaits(options),
      ...planLateOverlays(options, { onlyHides }),
      ...planScrolling(options),
      ...planHover(options),
      ...planStillness(options),
      ...planVisit(options),
    ],
    confirm: planConfirmation(options),
    capture: [
      ...planStyles(options),
      ...planReading(options),
      ...planPdfCheck(),
      ...planChecks(options),
      ...planMetadata(options),
      ...planReport(options),
      ...planImage(options),
      ...planVideo(options, { isRealTime }),
      ...planPdf(options),
      ...planDocument(options),
    ],
    verify: [...planVerification(options)],
    encode: [...planEncoding(options), ...planVideoEncoding(options)],
  };
}

/** Overlays may appear while the caller's own waits last. */
function* planLateOverlays(options: EngineOptions, { onlyHides }: { readonly onlyHides: boolean }) {
  if ([...planWaits(options)].length > 0) yield* planOverlays(options, { onlyHides });
}
