// Checks whether the screenshot is of one colour although the page has content to show.
import { isBlankTooEarly } from "../../formats/screenshot/blank-image.ts";
import type { ImageSettings } from "../../formats/screenshot/image-settings.ts";
import type { ScreenshotSettings } from "../../formats/screenshot/screenshot.ts";
import { measureViewport } from "../../page/viewport.ts";
import { type StepFactory, type VerifyStep, verifyStep } from "../step.ts";

interface CheckBlank {
  readonly image: ImageSettings;
}

export const checkBlank: StepFactory<VerifyStep, CheckBlank> = verifyStep({
  name: "check-blank",
  run: async (page, { image: { quality, fast } }) => {
    const format = (page.output?.format ?? "png") as ScreenshotSettings["format"];
    const look = {
      settings: { format, quality, fast },
      inView: () => measureViewport(page),
      isLast: page.isRetake,
    };
    return { mustRetake: await isBlankTooEarly(page, look) };
  },
});
