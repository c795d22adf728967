// Builds the Markdown tables of docs/reference: the capture options in groups, limits, plans, errors and headers.

import { type ErrorKind, errorKinds } from "../../contract/errors/error-kinds.ts";
import { dollars } from "../../contract/money.ts";
import { allowedValues, formatNumber } from "../../contract/options/allowed-values.ts";
import { limitReference } from "../../contract/options/limit-reference.ts";
import {
  describeScope,
  type OptionGroup,
  type OptionReference,
  optionReference,
} from "../../contract/options/option-reference.ts";
import { type Plan, planQuotas, plans } from "../../contract/plans.ts";
import { headers } from "./headers.ts";

/** The tables that `npm run docs` writes, by the name of their page in docs/reference. */
export const referenceTables = {
  options: optionTables,
  errors: errorTable,
  headers: headerTable,
  limits: limitTable,
  plans: planTable,
} as const satisfies Record<string, () => string>;

/**
 * Replaces the table between `<!-- name -->` and `<!-- /name -->` in a page of Markdown. Throws when the page has no such
 * markers.
 */
export function replaceTable(page: string, name: string, table: string): string {
  const between = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!between.test(page)) throw new Error(`The page of the reference has no place for the table '${name}'.`);
  return page.replace(between, (_, start, end) => `${start}${table}\n${end}`);
}

/** The capture options: a heading, a sentence and a table for each group. */
function optionTables(): string {
  return optionReference().map(groupSection).join("\n\n");
}

function groupSection({ group, about, options }: OptionGroup): string {
  const common = commonScope(options);
  const rows = options.map((option) => {
    const { name, jsonSchema, defaultText = "", description } = option;
    const scope = describeScope(option);
    const meaning = scope === common ? description : `${description} ${scope}`.trim();
    return tableRow([`\`${name}\``, allowedValues(jsonSchema), defaultText, meaning]);
  });
  const hasExceptions = options.some((option) => describeScope(option) !== common);
  const scope = common && ` ${common.replace(/\.$/, hasExceptions ? ", unless noted." : ".")}`;
  const head = [tableRow(["Option", "Values", "Default", "Description"]), "|---|---|---|---|"];
  return [`## ${group}`, "", `${about}${scope}`, "", ...head, ...rows].join("\n");
}

/** The scope that most options of a group share, or an empty text when some option applies to every format. */
function commonScope(options: readonly OptionReference[]): string {
  const scopes = options.map(describeScope);
  const [first = ""] = scopes.toSorted((a, b) => count(scopes, b) - count(scopes, a));
  return scopes.includes("") ? "" : first;
}

function count(scopes: readonly string[], scope: string): number {
  return scopes.filter((each) => each === scope).length;
}

/** The plans with their prices, quotas and limits. */
export function planTable(all: Readonly<Record<string, Plan>> = plans): string {
  const rows = Object.entries(all).map(([name, plan]) =>
    tableRow([
      `\`${name}\``,
      plan.label,
      monthlyPrice(plan),
      includedCaptures(plan),
      overagePrice(plan),
      formatNumber(plan.requestsPerMinute),
      formatNumber(plan.concurrentJobs),
    ]),
  );
  const head = [
    "Plan",
    "Name",
    "Price per month",
    "Included per month",
    "Each further capture",
    "Requests in 60 s",
    "Concurrent asynchronous captures",
  ];
  return [tableRow(head), "|---|---|---|---|---:|---:|---:|", ...rows].join("\n");
}

function monthlyPrice({ price, firstMonthPrice, trialDays }: Plan): string {
  if (trialDays !== undefined) return `$${dollars(price)} for ${trialDays} days, once`;
  return `$${dollars(price)}${firstMonthPrice === undefined ? "" : ` ($${dollars(firstMonthPrice)} for the first month)`}`;
}

function includedCaptures(plan: Plan): string {
  return planQuotas(plan)
    .map(({ name, limit }) => `${formatNumber(limit)} ${name}`)
    .join(" and ");
}

function overagePrice({ overagePrice: price }: Plan): string {
  return price === undefined ? "refused" : `$${dollars(price)}`;
}

/** The limits of what one capture may use and produce. */
export function limitTable(): string {
  const rows = limitReference().map(({ name, description, defaultValue, code }) =>
    tableRow([`\`${name}\``, formatNumber(defaultValue), description, `\`${code}\``]),
  );
  return [tableRow(["Limit", "Default", "What it bounds", "Error beyond it"]), "|---|---:|---|---|", ...rows].join(
    "\n",
  );
}

/** The errors in the order of their status. */
function errorTable(): string {
  const kinds = Object.entries<ErrorKind>(errorKinds).toSorted(([, a], [, b]) => a.status - b.status);
  const rows = kinds.map(([code, kind]) =>
    tableRow([String(kind.status), `\`${code}\``, describeRetry(kind), kind.meaning]),
  );
  return [tableRow(["Status", "Code", "Retry", "Meaning"]), "|---|---|---|---|", ...rows].join("\n");
}

/** When the same request can succeed later. */
function describeRetry({ retryable }: ErrorKind): string {
  return typeof retryable === "object" ? retryable.when : retryable ? "yes" : "";
}

/** The response headers in alphabetical order. */
function headerTable(): string {
  const rows = Object.entries(headers)
    .toSorted(([a], [b]) => a.localeCompare(b, "en"))
    .map(([name, { description }]) => tableRow([`\`${name}\``, description]));
  return [tableRow(["Header", "Meaning"]), "|---|---|", ...rows].join("\n");
}

/** A row of a Markdown table; a cell with several lines becomes one line. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(tableCell).join(" | ")} |`;
}

/** A cell is one line: the items of a list become sentences after each other. */
function tableCell(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replace(/^- /, "")
    .replaceAll(/\n(- )?/g, " ");
}
