// Closes dialogs and the cookie banners of unknown platforms, which are recognized by their appearance and words.
import { closeDialogs, type OverlayClosing } from "../../overlays/dialogs.ts";
import { atRealPace } from "../../rendering/page-time.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

export const closeDialogsStep: StepFactory<ReadyStep, OverlayClosing> = readyStep({
  name: "close-dialogs",
  phase: "settle",
  // Dialogs fade while this process looks at them, which takes real time.
  run: (page, closing) => atRealPace(page, () => closeDialogs(page, closing)),
});
