// Records the console messages and the requests of the page, for its metadata.
import { recordPage } from "../../page/page-record.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface RecordEvents {
  readonly wanted: { readonly console: boolean; readonly requests: boolean };
}

export const recordEvents: StepFactory<PrepareStep, RecordEvents> = prepareStep({
  name: "record-events",
  phase: "browser",
  run: async ({ session }, { wanted }) => ({ record: await recordPage(session, wanted) }),
});
