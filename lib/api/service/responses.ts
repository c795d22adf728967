// What the service answers about itself: its health, and its OpenAPI document.
import * as v from "valibot";
import { purposes } from "../../options/filter-purposes.ts";

const FilterList = v.object({
  purpose: v.picklist(purposes),
  title: v.pipe(v.string(), v.examples(["AdGuard Base filter"])),
  version: v.pipe(v.string(), v.examples(["2.4.54.72"])),
  date: v.pipe(v.string(), v.isoDate(), v.description("When the list was last changed.")),
});

export const Health = v.object({ status: v.literal("ok"), lists: v.array(FilterList) });

export const OpenapiDocument = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description("An OpenAPI document: https://spec.openapis.org/oas/v3.1.1"),
);
