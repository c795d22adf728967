// Emulates the visitor's environment: window, device, language, time zone, media features and geolocation.
import { emulate, type PageEnvironment } from "../../emulation/emulation.ts";
import type { PrepareStep } from "../step-definition.ts";

interface Emulate {
  readonly environment: PageEnvironment;
}

export const emulateEnvironment: PrepareStep<"emulate", Emulate> = {
  name: "emulate",
  phase: "browser",
  run: ({ session }, { environment }) => emulate(session, environment),
};
