// The plans side by side: price, what is included, what comes after it, and how to begin.
import { dollars } from "../contract/money.ts";
import { type Plan, type PlanName, planQuotas, plans } from "../contract/plans.ts";
import { type Html, html } from "./html.ts";
import { BASE_PATH, bySignUp, DASHBOARD_PATH, SIGN_IN_PATH } from "./site-files.ts";

/** The plan that most customers are well served by. */
const RECOMMENDED: PlanName = "pro";

export const planCards: Html = html`<div class="plan-list">${(Object.entries(plans) as [PlanName, Plan][]).map(
  ([
    name,
    plan,
  ]) => html`<div${name === RECOMMENDED && html` class="recommended"`}><h3>${plan.label}${name === RECOMMENDED && html` <span>Recommended</span>`}</h3>
<p class="price">${wholeDollars(plan)} <span>${plan.trialDays === undefined ? "a month" : `for ${plan.trialDays} days`}</span></p>
<ul>${planFacts(plan).map((fact) => html`<li>${fact}</li>`)}</ul>
${bySignUp({ open: planButton(name, plan), closed: html`` })}</div>`,
)}</div>
${bySignUp({
  open: html`<p class="fine" data-signed-out>Each plan begins with the free trial, which needs an e-mail address and no card.</p>`,
  closed: html``,
})}`;

function planButton(name: PlanName, { label, trialDays }: Plan): Html {
  const button = name === RECOMMENDED ? "button button-primary" : "button";
  const text = trialDays === undefined ? `Choose ${label}` : "Start the trial";
  return html`<p class="by-session"><a class="${button}" data-signed-out href="${BASE_PATH}${SIGN_IN_PATH}?to=billing">${text}</a><a class="${button}" data-signed-in href="${BASE_PATH}${DASHBOARD_PATH}/billing">${trialDays === undefined ? text : "Your plan"}</a></p>`;
}

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
