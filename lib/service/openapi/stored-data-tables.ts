// Builds the Markdown tables of what is stored, for operators and for privacy policies.
import { describeLocations, storedData } from "../account-data/stored-data.ts";
import { tableRow } from "./reference-tables.ts";

/** The tables that `npm run docs` writes, by their page in docs. */
export const storedDataTables = { security: operatorsTable, "privacy-template": privacyTable } as const;

function operatorsTable(): string {
  const rows = storedData.map(({ what, when, kept }) => tableRow([what, when, kept]));
  return [tableRow(["What", "When", "How long"]), "|---|---|---|", ...rows].join("\n");
}

/** With the locations, and without links between pages of the documentation, because a policy is published elsewhere. */
function privacyTable(): string {
  const rows = storedData.map(({ what, when, kept, where }) =>
    tableRow([withoutLinks(what), withoutLinks(when), withoutLinks(kept), describeLocations(where)]),
  );
  return [tableRow(["What", "When", "How long", "Where"]), "|---|---|---|---|", ...rows].join("\n");
}

function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, "$1");
}
