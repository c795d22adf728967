// Closes the cookie banner of a known consent platform, and hides the banners that filter lists name.
import { closePlatformBanner } from "../../overlays/consent.ts";
import { atRealPace } from "../../rendering/page-time.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

export const closeConsentBanner: StepFactory<ReadyStep> = readyStep({
  name: "close-consent-banner",
  phase: "settle",
  // The content script of autoconsent and this process answer each other, which takes real time.
  run: (page) => atRealPace(page, () => closePlatformBanner(page)),
});
