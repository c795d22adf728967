// Makes the browser look like desktop Chrome with a person in front of it.
import type { PageEnvironment } from "../../emulation/emulation.ts";
import { applyStealth } from "../../emulation/stealth.ts";
import type { PrepareStep } from "../step-definition.ts";

interface ApplyStealth {
  readonly environment: PageEnvironment;
}

export const applyStealthProfile: PrepareStep<"apply-stealth", ApplyStealth> = {
  name: "apply-stealth",
  phase: "browser",
  run: (page, { environment }) => applyStealth(page, environment),
};
