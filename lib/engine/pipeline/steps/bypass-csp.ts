// Disables the page's Content Security Policy.
import type { PrepareStep } from "../step-definition.ts";

export const bypassCsp: PrepareStep<"bypass-csp"> = {
  name: "bypass-csp",
  phase: "browser",
  run: async ({ session }) => {
    await session.cdp.send("Page.setBypassCSP", { enabled: true });
  },
};
