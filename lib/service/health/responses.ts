// What the service answers about itself: its health, and its OpenAPI document.
import * as v from "valibot";
import { purposes } from "../../contract/options/filter-purposes.ts";

const FilterList = v.object({
  purpose: v.picklist(purposes),
  title: v.pipe(v.string(), v.examples(["AdGuard Base filter"])),
  version: v.pipe(v.string(), v.examples(["2.4.54.72"])),
  date: v.pipe(v.string(), v.isoDate(), v.description("When the list was last changed.")),
});

const Captures = v.object({
  status: v.pipe(
    v.picklist(["ok", "failing", "unknown"]),
    v.description(
      "Whether the last capture of the service's own test page was right. It is made every five minutes. `unknown` if there " +
        "is none of the last 16 minutes.",
    ),
  ),
  checked_at: v.pipe(
    v.nullable(v.string()),
    v.description("When that capture ended, in UTC. `null` if there is none."),
  ),
});

export const Health = v.object({
  status: v.literal("ok"),
  captures: Captures,
  chromium: v.object({
    version: v.pipe(v.string(), v.examples(["153.0.8010.0"])),
    age_days: v.pipe(
      v.number(),
      v.description("Days since this version of Chromium branched off; the build has no later fixes."),
    ),
  }),
  lists: v.array(FilterList),
});

export const OpenapiDocument = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description("An OpenAPI document: https://spec.openapis.org/oas/v3.1.1"),
);
