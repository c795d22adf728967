/// <reference lib="dom" />
// Asks the page's consent platform about its banner. Runs in the page's main world, where the platform's interface is.

type Ping = { cmpStatus?: string; displayStatus?: string };

const ANSWER_MS = 50;

/** True when a platform of the IAB's Transparency and Consent Framework shows a banner, or is about to. */
export function isBannerDue(): boolean | Promise<boolean> {
  const { __tcfapi: tcfApi } = globalThis as {
    __tcfapi?: (command: string, version: 2, callback: (ping: Ping) => void) => void;
  };
  if (typeof tcfApi !== "function") return false;
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ANSWER_MS);
    tcfApi("ping", 2, (ping) => resolve(ping?.cmpStatus === "loading" || ping?.displayStatus === "visible"));
  });
}
