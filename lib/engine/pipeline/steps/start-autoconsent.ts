// Starts autoconsent: it looks for the cookie banners of known consent platforms in all frames of all documents.
import { startAutoconsent } from "../../overlays/consent.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface StartAutoconsent {
  /** Accepts a banner that cannot be rejected. */
  readonly accept: boolean;
}

export const startAutoconsentStep: StepFactory<PrepareStep, StartAutoconsent> = prepareStep({
  name: "start-autoconsent",
  phase: "browser",
  run: startAutoconsent,
});
