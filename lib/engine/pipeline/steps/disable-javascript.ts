// Disables the page's own JavaScript. Scripts in the isolated world still run.
import { installTimers } from "../../page/isolated-world.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

export const disableJavaScript: StepFactory<PrepareStep> = prepareStep({
  name: "disable-javascript",
  phase: "browser",
  run: async ({ session: { cdp } }) => {
    installTimers(cdp);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
    return { isJavaScriptDisabled: true };
  },
});
