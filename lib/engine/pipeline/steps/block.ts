// Steps that keep things out of the page, and those that close what lies over it.
import { blockPage } from "../../adblock/block-page.ts";
import { disguise } from "../../emulation/stealth.ts";
import { keepTimers } from "../../injected/timers.ts";
import { closeConsent, watchForConsent } from "../../overlays/consent.ts";
import { closeDialogs, unlockPage } from "../../overlays/dialogs.ts";
import { prepareWorlds } from "../../page/isolated-world.ts";
import type { Actions } from "./actions.ts";

export const blockActions = {
  block: blockPage,

  "watch-for-consent": (capturing, { accept }) => watchForConsent(capturing, { accept }),

  "close-consent": (capturing) => closeConsent(capturing),

  "close-dialogs": (capturing, closing) => closeDialogs(capturing, closing),

  "unlock-page": (capturing) => unlockPage(capturing),

  "disable-scripts": async (capturing) => {
    const { cdp } = capturing.session;
    capturing.withoutScripts = true;
    prepareWorlds(cdp, keepTimers);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
  },

  disguise: (capturing, { environment }) => disguise(capturing, environment),
} satisfies Actions;
