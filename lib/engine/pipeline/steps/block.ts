// Steps that keep things out of the page, and those that close what lies over it.
import { startBlocking } from "../../adblock/block-page.ts";
import { applyStealth } from "../../emulation/stealth.ts";
import { rejectConsent, startAutoconsent } from "../../overlays/consent.ts";
import { closeDialogs, restoreScroll } from "../../overlays/dialogs.ts";
import { installTimers } from "../../page/isolated-world.ts";
import type { Actions } from "./actions.ts";

export const blockActions = {
  block: startBlocking,

  "watch-for-consent": (capturing, { accept }) => startAutoconsent(capturing, { accept }),

  "close-consent": (capturing) => rejectConsent(capturing),

  "close-dialogs": (capturing, closing) => closeDialogs(capturing, closing),

  "unlock-page": (capturing) => restoreScroll(capturing),

  "disable-scripts": async (capturing) => {
    const { cdp } = capturing.session;
    capturing.withoutScripts = true;
    installTimers(cdp);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
  },

  disguise: (capturing, { environment }) => applyStealth(capturing, environment),
} satisfies Actions;
