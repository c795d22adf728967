// The whole service on this machine with the fake renderer in place of Chromium, started once per test run.
import type { TestProject } from "vitest/node";
import { runService } from "../running-service.ts";
import { fakeRendererAssembly } from "./assembly.ts";

export default function setup(vitest: TestProject): Promise<() => Promise<void>> {
  return runService(vitest, fakeRendererAssembly);
}
