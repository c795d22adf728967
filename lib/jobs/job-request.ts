// What was ordered with a job: for whom it is captured, what that is counted against, and what its log says.
import * as v from "valibot";
import { CallerSchema } from "../accounts/account.ts";

const id = v.pipe(v.number(), v.safeInteger());

const AllowanceSchema = v.object({
  accountId: id,
  attempt: v.pipe(v.string(), v.regex(/^[0-9a-z]+$/i)),
  period: v.pipe(
    v.object({ start: v.string(), end: v.string(), month: v.optional(v.number()) }),
    v.transform(({ start, end, month }) => ({ start, end, month })),
  ),
  credit: v.picklist(["screenshots", "videos"]),
  quota: v.object({ name: v.picklist(["screenshots", "videos", "captures"]), limit: v.number() }),
  isCapped: v.boolean(),
});

/** Nothing of it is secret, so that it can lie in the job's item: whoever finds a job abandoned logs it by this. */
export const JobRequestSchema = v.object({
  caller: CallerSchema,
  allowance: AllowanceSchema,
  source_ip: v.string(),
  /** Without a password. Empty for HTML and Markdown. */
  url: v.string(),
  format: v.string(),
  /** The options as a log may have them. */
  options: v.record(v.string(), v.unknown()),
});
