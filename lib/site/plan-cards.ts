// The plans side by side: price, what is included, what comes after it, and how to begin.
import { planFacts, planPrice } from "../contract/plan-facts.ts";
import { type Plan, type PlanName, plans } from "../contract/plans.ts";
import { type Html, html } from "./html.ts";
import { BASE_PATH, bySignUp, DASHBOARD_PATH, SIGN_IN_PATH } from "./site-files.ts";

/** The plan that most customers are well served by. */
const RECOMMENDED: PlanName = "pro";

export const planCards: Html = html`<div class="plan-list">${(Object.entries(plans) as [PlanName, Plan][]).map(
  ([name, plan]) => {
    const { amount, period } = planPrice(plan);
    const isRecommended = name === RECOMMENDED;
    return html`<div${isRecommended && html` class="recommended"`}><h3>${plan.label}${isRecommended && html` <span>Recommended</span>`}</h3>
<p class="price">${amount} <span>${period}</span></p>
<ul>${planFacts(plan).map((fact) => html`<li>${fact}</li>`)}</ul>
${bySignUp({ open: planButton(name, plan), closed: html`` })}</div>`;
  },
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
