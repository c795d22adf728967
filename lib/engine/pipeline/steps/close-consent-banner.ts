// Closes the cookie banner of a known consent platform, and hides the banners that filter lists name.
import { closePlatformBanner } from "../../overlays/consent.ts";
import type { ReadyStep } from "../step-definition.ts";

export const closeConsentBanner: ReadyStep<"close-consent-banner"> = {
  name: "close-consent-banner",
  phase: "settle",
  run: closePlatformBanner,
};
