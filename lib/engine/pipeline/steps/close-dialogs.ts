// Closes dialogs and the cookie banners of unknown platforms, which are recognized by their appearance and words.
import { closeDialogs, type OverlayClosing } from "../../overlays/dialogs.ts";
import type { ReadyStep } from "../step-definition.ts";

export const closeDialogsStep: ReadyStep<"close-dialogs", OverlayClosing> = {
  name: "close-dialogs",
  phase: "settle",
  run: closeDialogs,
};
