// Emulates the visitor's environment: window, device, language, time zone, media features and geolocation.
import { emulate, type PageEnvironment } from "../../emulation/emulation.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface Emulate {
  readonly environment: PageEnvironment;
}

export const emulateEnvironment: StepFactory<PrepareStep, Emulate> = prepareStep({
  name: "emulate",
  phase: "browser",
  run: ({ session }, { environment }) => emulate(session, environment),
});
