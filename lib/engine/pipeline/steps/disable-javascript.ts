// Disables the page's own JavaScript. Scripts in the isolated world still run.
import { installTimers } from "../../page/isolated-world.ts";
import type { PrepareStep } from "../step-definition.ts";

export const disableJavaScript: PrepareStep<"disable-javascript"> = {
  name: "disable-javascript",
  phase: "browser",
  run: async ({ session: { cdp } }) => {
    installTimers(cdp);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
    return { isJavaScriptDisabled: true };
  },
};
