// Makes the browser look like desktop Chrome with a person in front of it.
import type { PageEnvironment } from "../../emulation/emulation.ts";
import { applyStealth } from "../../emulation/stealth.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface ApplyStealth {
  readonly environment: PageEnvironment;
}

export const applyStealthProfile: StepFactory<PrepareStep, ApplyStealth> = prepareStep({
  name: "apply-stealth",
  phase: "browser",
  run: (page, { environment }) => applyStealth(page, environment),
});
