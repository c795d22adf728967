// The objects of the bucket to which a capture log refers.
import * as v from "valibot";
import { answerObject } from "../results/stored-answer.ts";
import { StoredThumbnailSchema } from "../results/stored-thumbnail.ts";
import { CaptureDetailsSchema } from "./capture-details.ts";

/** Returns the keys of the result with its slices, of the report, of the thumbnail, and of the copy of the response that a log's item has. */
export function loggedObjects({ details, thumbnail }: Readonly<Record<string, unknown>>): string[] {
  const { result, report, answer } = v.parse(CaptureDetailsSchema, details ?? {});
  const { key } = v.parse(v.partial(StoredThumbnailSchema), thumbnail ?? {});
  return [
    ...(result
      ? [result.key, ...(result.slices ?? []), ...(result.cached?.facts === undefined ? [] : [result.cached.facts])]
      : []),
    ...(report ? [report.key] : []),
    ...(answer ? [answerObject(answer)] : []),
    ...(key === undefined ? [] : [key]),
  ];
}
