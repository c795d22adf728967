// Judges the page as it is captured, and adds what is wrong with it to the problems of the capture.

import { isImageFormat } from "../../../contract/options/formats.ts";
import { isPaintedAtOnce } from "../../formats/screenshot/screenshot.ts";
import type { ObservedLoader } from "../../injected/observation/observe-page.ts";
import { withoutFilledInView } from "../../problems/filled-in-view.ts";
import { judgePage } from "../../problems/judge-page.ts";
import type { CapturingPage } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface JudgePage {
  /** True when all of the page is captured, not only the selected area. */
  readonly isWhole: boolean;
  /** The frame of a video that the page shows; undefined for other results. */
  readonly frame?: "first" | "last";
}

export const judgePageStep: StepFactory<CaptureStep, JudgePage> = captureStep({
  name: "judge-page",
  run: async (page, { isWhole, frame }) => {
    const windows = page.visit?.windows;
    const selectLoaders = windows && {
      selectLoaders: (loaders: readonly ObservedLoader[]) => withoutFilledInView(page, windows, loaders),
    };
    const judge = () => judgePage(page, { isWhole, ...(frame && { frame }), ...selectLoaders });
    if (!isWhole && isImageFormat(page.options.format) && isPaintedAtOnce(page, page.area))
      return { judge: once(judge) };
    return withObservation(await judge());
  },
});

/** Waits for the judgement of a page that is judged while its picture is painted. */
export async function awaitJudgement({
  judge,
}: Pick<CapturingPage, "judge">): Promise<Pick<CapturingPage, "observed">> {
  return withObservation(await judge?.());
}

function withObservation(observed: CapturingPage["observed"]): Pick<CapturingPage, "observed"> {
  return observed ? { observed } : {};
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work();
    started.catch(() => undefined); // a picture that fails is the error of the capture
    return started;
  };
}
