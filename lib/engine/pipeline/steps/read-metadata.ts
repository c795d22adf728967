// Reads the metadata of the page that the caller asked for.
import { readMetadata, type WantedMetadata } from "../../outputs/metadata/metadata.ts";
import type { CaptureStep } from "../step-definition.ts";

interface ReadMetadata {
  readonly wanted: WantedMetadata;
}

export const readMetadataStep: CaptureStep<"read-metadata", ReadMetadata> = {
  name: "read-metadata",
  phase: "capture",
  run: async (page, { wanted }) => ({
    metadata: { ...page.metadata, ...(await readMetadata(page, wanted, page.record)) },
  }),
};
