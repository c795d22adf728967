// Holds media at their first frame and carets where they are, for a deterministic capture.

import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { notDeterministic } from "../../errors/target-errors.ts";
import type * as still from "../../injected/still.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { passTime, startTimeout } from "../../rendering/page-time.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** The time that the step takes for the page, however long its media take to load. */
const STEP_MS = 1_000;

/** While media load, so much of the page's time passes in so much real time; together at most 10 s of it. */
const POLL_MS = 1;
const REAL_POLL_MS = 20;
const MAX_POLLS = 500;

export const holdStillStep: StepFactory<ReadyStep> = readyStep({
  name: "hold-still",
  awaits: () => "media to load",
  run: async (page) => {
    const leftMs = startTimeout(page, STEP_MS);
    const hasMedia = () => page.activity.realTimeUses.has("media");
    for (let poll = 0; ; poll++) {
      const { isLoading, hasForeignFrames } = await evaluateInIsolatedWorld(page, holdStill);
      if (hasMedia() && hasForeignFrames) throw notDeterministic("it plays media, and has frames of other sites");
      if (!isLoading) break;
      if (poll === MAX_POLLS) throw notDeterministic("its media did not load within 10 s");
      await passTime(page, POLL_MS);
      await sleep(REAL_POLL_MS);
    }
    if (hasMedia()) await passTime(page, leftMs());
  },
});

const holdStill: PageFunction<typeof still.holdStill> = pageFunction("layout", "holdStill", {
  result: v.object({ isLoading: v.boolean(), hasForeignFrames: v.boolean() }),
});
