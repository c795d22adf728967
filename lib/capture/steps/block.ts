// Steps that keep things out of the page, and those that close what lies over it.
import { blockPage } from "../blocking/block-page.ts";
import { closeConsent, watchForConsent } from "../consent/consent.ts";
import { closeDialogs, unlockPage } from "../consent/dialogs.ts";
import { prepareWorlds } from "../page/isolated-world.ts";
import { keepTimers } from "../scripts/timers.ts";
import { disguise } from "../visitor/stealth.ts";
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
