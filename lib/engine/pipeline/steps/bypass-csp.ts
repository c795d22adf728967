// Disables the page's Content Security Policy.
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

export const bypassCsp: StepFactory<PrepareStep> = prepareStep({
  name: "bypass-csp",
  phase: "browser",
  run: async ({ session }) => {
    await session.cdp.send("Page.setBypassCSP", { enabled: true });
  },
});
