// The written reference as tables in Markdown: the options of a capture in groups, its limits, the plans, and the errors.

import { dollars } from "../../billing/money.ts";
import { type Plan, planQuotas, plans } from "../../billing/plans.ts";
import { errorKinds } from "../../errors/api-error.ts";
import { limitReference } from "../../options/limit-reference.ts";
import type { JsonSchema } from "../../options/option.ts";
import {
  describeScope,
  type OptionGroup,
  type OptionReference,
  optionReference,
} from "../../options/option-reference.ts";

/** The options of a capture: a table for each group, folded up under what the group is about. */
export function optionTables(): string {
  return optionReference().map(groupTable).join("\n\n");
}

function groupTable({ group, about, options }: OptionGroup): string {
  const usual = usualScope(options);
  const rows = options.map((option) => {
    const { name, jsonSchema, defaultText = "", description } = option;
    const scope = describeScope(option);
    const told = scope === usual ? description : `${description} ${scope}`.trim();
    return row([`\`${name}\``, valuesOf(jsonSchema), defaultText, told]);
  });
  const unless = options.some((option) => describeScope(option) !== usual) ? ", unless told otherwise." : ".";
  const scope = usual && ` ${usual.replace(/\.$/, unless)}`;
  const summary = `<summary><b>${group}</b> · ${options.length} options. ${about}${scope}</summary>`;
  const head = [row(["Option", "Values", "Default", "Meaning"]), "|---|---|---|---|"];
  return ["<details>", summary, "", ...head, ...rows, "", "</details>"].join("\n");
}

/** What most options of a group are for, where none is for everything: told once, above the table. */
function usualScope(options: readonly OptionReference[]): string {
  const scopes = options.map(describeScope);
  const [first = ""] = scopes.toSorted((a, b) => count(scopes, b) - count(scopes, a));
  return scopes.includes("") ? "" : first;
}

function count(scopes: readonly string[], scope: string): number {
  return scopes.filter((each) => each === scope).length;
}

/** Plans with what they cost and include. */
export function planTable(all: Readonly<Record<string, Plan>> = plans): string {
  const rows = Object.entries(all).map(([name, plan]) =>
    row([`\`${name}\``, plan.label, priceOf(plan), includedIn(plan), beyond(plan), ...limitsOf(plan)]),
  );
  const head = ["Plan", "Name", "A month costs", "It includes", "Each one beyond", "Requests in 60 s", "At once"];
  return [row(head), "|---|---|---|---|---:|---:|---:|", ...rows].join("\n");
}

function priceOf({ price, firstMonthPrice, trialDays }: Plan): string {
  if (trialDays !== undefined) return `$${dollars(price)} for ${trialDays} days, once`;
  return `$${dollars(price)}${firstMonthPrice === undefined ? "" : `, the first one $${dollars(firstMonthPrice)}`}`;
}

function includedIn(plan: Plan): string {
  return planQuotas(plan)
    .map(({ name, limit }) => `${shown(limit)} ${name}`)
    .join(" and ");
}

function beyond({ overagePrice }: Plan): string {
  return overagePrice === undefined ? "refused" : `$${dollars(overagePrice)}`;
}

function limitsOf({ requestsPerMinute, concurrentJobs: jobsAtOnce }: Plan): string[] {
  return [shown(requestsPerMinute), shown(jobsAtOnce)];
}

/** What one capture may use and make at most. */
export function limitTable(): string {
  const rows = limitReference().map(({ name, description, defaultValue, code }) =>
    row([`\`${name}\``, shown(defaultValue), description, `\`${code}\``]),
  );
  const head = [
    row([
      "Limit",
      "Default; `captureLimits` of a stage in `lib/infra/stages.ts` sets others",
      "What it bounds",
      "Beyond it",
    ]),
    "|---|---:|---|---|",
  ];
  return [...head, ...rows].join("\n");
}

/** The errors, in the order of their status. */
export function errorTable(): string {
  const kinds = Object.entries(errorKinds).toSorted(([, a], [, b]) => a.status - b.status);
  const rows = kinds.map(([code, kind]) =>
    row([String(kind.status), `\`${code}\``, "retryable" in kind ? "yes" : "", kind.meaning]),
  );
  return [row(["Status", "Code", "Retry", "Meaning"]), "|---|---|---|---|", ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The values an option takes, in a few words. */
function valuesOf(schema: JsonSchema): string {
  const { type, enum: names, minimum, maximum, items, oneOf, examples } = schema as SchemaParts;
  if (oneOf) return oneOf.map(valuesOf).join(" or ");
  if (names) return names.map((name) => (name === "" ? "empty" : `\`${name}\``)).join(", ");
  if (type === "array") return `list of ${valuesOf(items ?? {})}`;
  if (type === "boolean") return "`true`, `false`";
  if (minimum !== undefined && maximum !== undefined) return `${shown(minimum)} to ${shown(maximum)}`;
  const [example] = examples ?? [];
  return typeof example === "string" ? `such as \`${example}\`` : (type ?? "text").replace("string", "text");
}

interface SchemaParts {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
}

function shown(bound: number): string {
  return bound.toLocaleString("en-US").replace("-", "−");
}
