// Confirms that the document is the page that was requested: no network error, refused status or bot challenge.
import type { StatusRange } from "../../../contract/options/groups/waiting.ts";
import { type ChallengePolicy, waitForChallenge } from "../../bot-detection/bot-challenge.ts";
import { confirmDocument } from "../../page/confirm-document.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { softAllowance } from "../../timing/budget.ts";
import type { NavigatedPage } from "../capture-state.ts";
import { type ConfirmStep, confirmStep, type StepFactory } from "../step.ts";

/** Longest wait for a document that is being requested. */
const MAX_ARRIVAL_MS = 10_000;

interface ConfirmDocument {
  /** Statuses that fail the capture. */
  readonly refused: readonly StatusRange[];
  /** Undefined for HTML and Markdown, which have no bot challenge before them. */
  readonly challenge?: ChallengePolicy;
}

export const confirmDocumentStep: StepFactory<ConfirmStep, ConfirmDocument> = confirmStep({
  name: "confirm-document",
  run: async (page, { refused, challenge }) => {
    await waitForArrival(page);
    confirmDocument(page, []);
    const { activity } = page;
    let { challengeCheckedIn } = page;
    if (challenge && challengeCheckedIn !== activity.documentId) {
      const hasPassed = await waitForChallenge(page, challenge);
      challengeCheckedIn = activity.documentId;
      if (hasPassed) await waitForLoad(page);
    }
    confirmDocument(page, refused);
    return challengeCheckedIn === undefined ? {} : { challengeCheckedIn };
  },
});

/** When the page has just started to navigate, the next document is the one to capture, if it arrives. */
async function waitForArrival(page: NavigatedPage): Promise<void> {
  const { activity, budget, now } = page;
  const isNavigating = !activity.document.arrived && activity.document.netError === undefined;
  if (!isNavigating) return;
  const timeoutMs = softAllowance(budget, now(), MAX_ARRIVAL_MS);
  if (await activity.until(() => activity.document.arrived, timeoutMs)) await waitForLoad(page);
}
