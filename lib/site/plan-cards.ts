// The plans side by side: price, what is included, and what comes after it.
import { dollars } from "../contract/money.ts";
import { type Plan, planQuotas, plans } from "../contract/plans.ts";
import { type Html, html } from "./html.ts";

export const planCards: Html = html`<div class="plan-list">${Object.values(plans).map(
  (plan) => html`<div><h3>${plan.label}</h3>
<p class="price">${wholeDollars(plan)} <span>${plan.trialDays === undefined ? "a month" : `for ${plan.trialDays} days`}</span></p>
<ul>${planFacts(plan).map((fact) => html`<li>${fact}</li>`)}</ul></div>`,
)}</div>`;

function wholeDollars({ price }: Plan): string {
  return `$${dollars(price).replace(/\.00$/, "")}`;
}

function planFacts(plan: Plan): string[] {
  return [
    ...planQuotas(plan).map(({ name, limit }) => `${limit.toLocaleString("en-US")} ${name}`),
    `${plan.requestsPerMinute} requests a minute`,
    `${plan.concurrentJobs} asynchronous captures at a time`,
    plan.overagePrice === undefined ? "Stops at the quota" : `$${dollars(plan.overagePrice)} for each further capture`,
    ...(plan.firstMonthPrice === undefined ? [] : [`$${dollars(plan.firstMonthPrice)} for the first month`]),
  ];
}
