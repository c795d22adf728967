// What the routes of exports and of the deletion of an account answer.
import * as v from "valibot";
import { countField, integerField, timestamp, url } from "../http/response-fields.ts";
import { exportTypes } from "../usage/usage-options.ts";

export const DataExportResponse = v.object({
  id: v.pipe(integerField, v.description("The number of the export.")),
  status: v.pipe(
    v.picklist(["running", "ready", "failed"]),
    v.description("`ready` once the file can be downloaded. If it is `failed`, start another export."),
  ),
  output: v.picklist(exportTypes),
  progress: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100), v.description("In percent.")),
  lines: v.pipe(countField, v.description("Lines that were written so far, without the header of CSV.")),
  size_bytes: v.pipe(v.nullable(countField), v.description("Size of the file. `null` until it is ready.")),
  created_at: timestamp,
  expires_at: v.pipe(timestamp, v.description("When the export and its file are deleted.")),
  download_url: v.pipe(
    v.nullable(url),
    v.description(
      "Link to the file, which is compressed with gzip. It works for an hour, for everyone who has it; get the export again for a " +
        "new one. `null` until the file is ready.",
    ),
  ),
});

/** The exports of all data of an account, newest first. */
export const DataExports = v.object({ data: v.array(DataExportResponse) });

export const AccountDeletion = v.object({
  id: v.pipe(v.string(), v.description("Shows how far the deletion is, also without a session: keep it to yourself.")),
  account_id: integerField,
  /** `finishing`: everything is deleted; what captures that were still running write is deleted, too, until the status is `done`. */
  status: v.picklist(["running", "finishing", "done"]),
  /** In percent. */
  progress: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  requested_at: timestamp,
  finished_at: v.nullable(timestamp),
  /** What was deleted so far. */
  deleted: v.object({
    captures: countField,
    jobs: countField,
    results: countField,
    api_keys: countField,
  }),
});
