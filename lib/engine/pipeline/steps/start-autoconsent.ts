// Starts autoconsent: it looks for the cookie banners of known consent platforms in all frames of all documents.
import { startAutoconsent } from "../../overlays/consent.ts";
import type { PrepareStep } from "../step-definition.ts";

interface StartAutoconsent {
  /** Accepts a banner that cannot be rejected. */
  readonly accept: boolean;
}

export const startAutoconsentStep: PrepareStep<"start-autoconsent", StartAutoconsent> = {
  name: "start-autoconsent",
  phase: "browser",
  run: startAutoconsent,
};
