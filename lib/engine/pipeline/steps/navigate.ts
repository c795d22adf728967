// Navigates to the caller's URL and checks the response.
import type { StatusRange } from "../../../contract/options/groups/waiting.ts";
import { type ChallengePolicy, isChallengeStatus, waitForChallenge } from "../../bot-detection/bot-challenge.ts";
import { urlNotAllowed } from "../../errors/target-errors.ts";
import { confirmDocument, isWithin } from "../../page/confirm-document.ts";
import { precreateIsolatedWorlds } from "../../page/isolated-world.ts";
import { hardAllowance, softAllowance } from "../../timing/budget.ts";
import { TimeoutError } from "../../timing/timeout-error.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { type NavigateStep, navigateStep, type StepFactory } from "../step.ts";

/** Page.navigate reports a failure before the Network events arrive, which have the response of the server. */
const MAX_NETWORK_EVENTS_MS = 250;

/** Longest wait for the content of a response that fails the capture, unless it is a bot challenge. */
const MAX_PARSING_MS = 2_000;

interface Navigate {
  readonly url: string;
  readonly referer?: string;
  readonly timeoutMs: number;
  /** Statuses that fail the capture. */
  readonly refused: readonly StatusRange[];
  readonly challenge: ChallengePolicy;
}

export const navigate: StepFactory<NavigateStep, Navigate> = navigateStep({
  name: "navigate",
  run: async (page, { url, referer, timeoutMs, refused, challenge }) => {
    const { href, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") throw urlNotAllowed(url);
    const { session, activity, budget, now } = page;
    activity.expectDocument(href);
    precreateIsolatedWorlds(session.cdp);
    const navigation = session.cdp.send("Page.navigate", {
      url: href,
      // The full referrer, as a link with this policy sends it.
      ...(referer !== undefined && { referrer: referer, referrerPolicy: "unsafeUrl" as const }),
    });
    const isNavigationLimit = timeoutMs < hardAllowance(budget, now());
    const response = await withTimeout(navigation, hardAllowance(budget, now(), timeoutMs));
    if (!response)
      throw new TimeoutError("the page to respond", isNavigationLimit ? { limit: "navigation_timeout" } : {});
    const { errorText } = response;
    if (errorText) await activity.until(() => activity.document.netError !== undefined, MAX_NETWORK_EVENTS_MS);
    confirmDocument(page, [], errorText);
    // A status that fails the capture may belong to a bot challenge, which may let this visit through.
    const status = activity.document.response?.status ?? 0;
    const mayBeChallenge = isChallengeStatus(status) && isWithin(refused, status) && !errorText;
    if (mayBeChallenge) {
      await activity.until(() => activity.document.parsed, softAllowance(budget, now(), MAX_PARSING_MS));
      await waitForChallenge(page, challenge);
    }
    const { documentId } = activity;
    confirmDocument(page, refused, errorText);
    return { address: href, ...(mayBeChallenge && { challengeCheckedIn: documentId }) };
  },
});
