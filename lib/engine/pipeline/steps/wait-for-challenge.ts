// Waits for a bot challenge to let the visit through, and then for the page behind it to load.
import { type ChallengePolicy, waitForChallenge } from "../../bot-detection/bot-challenge.ts";
import { type LoadCondition, waitForLoad } from "../../page/load-conditions.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

interface WaitForChallenge {
  readonly challenge: ChallengePolicy;
  /** When the page behind the challenge counts as loaded. */
  readonly conditions: readonly LoadCondition[];
}

export const waitForChallengeStep: StepFactory<ReadyStep, WaitForChallenge> = readyStep({
  name: "wait-for-challenge",
  run: async (page, { challenge, conditions }) => {
    const hasPassed = await waitForChallenge(page, challenge);
    const challengeCheckedIn = page.activity.documentId;
    if (hasPassed) await waitForLoad(page, conditions);
    return { challengeCheckedIn };
  },
});
