// Records the console messages and the requests of the page, for its metadata.
import { recordPage } from "../../page/page-record.ts";
import type { PrepareStep } from "../step-definition.ts";

interface RecordEvents {
  readonly wanted: { readonly console: boolean; readonly requests: boolean };
}

export const recordEvents: PrepareStep<"record-events", RecordEvents> = {
  name: "record-events",
  phase: "browser",
  run: async ({ session }, { wanted }) => ({ record: await recordPage(session, wanted) }),
};
