// Which formats take an option of one result: the same that a capture with it accepts.
import { expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { formats } from "../../../lib/contract/options/formats.ts";
import { videoOptions } from "../../../lib/contract/options/groups/video.ts";
import { optionFormats } from "../../../lib/contract/options/option-formats.ts";
import { optionSamples } from "../../../lib/contract/options/option-samples.ts";
import { ownOptionEntries } from "../../../lib/contract/options/outputs.ts";

/** True if a capture in a format accepts an option; errors of the options that it is sent with don't matter. */
function isAccepted(name: string, format: string): boolean {
  const isFalse = optionSamples[name]?.[name] === "false";
  const list = name.startsWith("elements_") && { metadata_elements: true };
  try {
    const sample = { ...optionSamples[name], ...(isFalse && { [name]: "true" }) }; // any format accepts `false`
    parseCaptureOptions({ url: "https://example.com", ...sample, ...list, format, response_type: "json" });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return !Object.hasOwn(error.details ?? {}, name);
  }
}

test.each(Object.keys(ownOptionEntries).filter((name) => name !== "format"))("%s", (name) => {
  // Together with an option of videos, `webp` is an animation.
  const compared = formats.filter((format) => !(format === "webp" && Object.hasOwn(videoOptions, name)));
  expect(optionFormats(name)).toEqual(compared.filter((format) => isAccepted(name, format)));
});

test("an option of the whole request has no formats of its own", () => {
  expect([optionFormats("url"), optionFormats("delay"), optionFormats("response_type")]).toEqual(
    Array(3).fill(undefined),
  );
});
