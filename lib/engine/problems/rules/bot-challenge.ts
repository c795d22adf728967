// BOT_CHALLENGE: the page shows a bot challenge, which the caller tolerates. Found while the page is waited for.
import type { Finding } from "../problem-rule.ts";

/** `name` is that of the vendor; `mayTryStealth` is true where the option `stealth` is not set. */
export function botChallengeFinding(name: string, mayTryStealth: boolean): Finding {
  return {
    message: `The capture shows a bot challenge of ${name}, not the page behind it.`,
    evidence: { text: name },
    fixes: mayTryStealth ? [{ stealth: true }] : [],
    isWarned: true,
  };
}
