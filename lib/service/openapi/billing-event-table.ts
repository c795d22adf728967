// Builds the Markdown table of the fields of `POST /billing/events`, which is in no OpenAPI document: the operator alone calls it.
import { allowedValues } from "../../contract/options/allowed-values.ts";
import { optionFacts } from "../../contract/options/option.ts";
import { billingEventEntries } from "../payments/billing-event.ts";
import { tableRow } from "./reference-tables.ts";

/** The fields of an event, with their values. */
export function billingEventTable(): string {
  const rows = Object.entries(billingEventEntries).map(([name, entry]) => {
    const { jsonSchema, description } = optionFacts(entry);
    return tableRow([`\`${name}\``, allowedValues(jsonSchema), description]);
  });
  return [tableRow(["Field", "Values", "Meaning"]), "|---|---|---|", ...rows].join("\n");
}
