// Reads the metadata of the page that the caller asked for.
import { readMetadata, type WantedMetadata } from "../../outputs/metadata/metadata.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface ReadMetadata {
  readonly wanted: WantedMetadata;
}

export const readMetadataStep: StepFactory<CaptureStep, ReadMetadata> = captureStep({
  name: "read-metadata",
  phase: "capture",
  run: async (page, { wanted }) => ({
    metadata: { ...page.metadata, ...(await readMetadata(page, wanted, page.record)) },
  }),
});
