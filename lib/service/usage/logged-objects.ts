// The objects of the bucket to which a capture log refers.
import * as v from "valibot";
import { StoredThumbnailSchema } from "../results/stored-thumbnail.ts";
import { CaptureDetailsSchema } from "./capture-details.ts";

/** Returns the keys of the result with its slices, of the report, and of the thumbnail that a log's item has. */
export function loggedObjects({ details, thumbnail }: Readonly<Record<string, unknown>>): string[] {
  const { result, report } = v.parse(CaptureDetailsSchema, details ?? {});
  const { key } = v.parse(v.partial(StoredThumbnailSchema), thumbnail ?? {});
  return [
    ...(result ? [result.key, ...(result.slices ?? [])] : []),
    ...(report ? [report.key] : []),
    ...(key === undefined ? [] : [key]),
  ];
}
