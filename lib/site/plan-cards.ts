// The plans side by side: price, what is included, and what comes after it.
import { planFacts, planPrice } from "../contract/plan-facts.ts";
import { plans } from "../contract/plans.ts";
import { type Html, html } from "./html.ts";

export const planCards: Html = html`<div class="plan-list">${Object.values(plans).map((plan) => {
  const { amount, period } = planPrice(plan);
  return html`<div><h3>${plan.label}</h3>
<p class="price">${amount} <span>${period}</span></p>
<ul>${planFacts(plan).map((fact) => html`<li>${fact}</li>`)}</ul></div>`;
})}</div>`;
