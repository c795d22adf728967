// The pricing page: the plans, a calculator, and what counts.
import { dollars } from "../contract/money.ts";
import { type Counts, monthlyCost } from "../contract/plan-cost.ts";
import { MAX_TESTS_PER_DAY, MIN_FREE_FAILURES, type PlanName, plans } from "../contract/plans.ts";
import { type Html, html } from "./html.ts";
import { supportContact } from "./identity-parts.ts";
import type { PageContent } from "./layout.ts";
import { planCards } from "./plan-cards.ts";
import { BASE_PATH, bySetting, bySignUp } from "./site-files.ts";
import { markdownPath } from "./site-paths.ts";

/** The month that the calculator shows first. */
const firstCounts: Counts = { screenshots: 8_000, videos: 100 };

function calculator(): Html {
  return html`<section class="calculator"><div><h2>Your month</h2>
<p>How many captures succeed in a month?</p>
<form data-calculator>
<label>Screenshots, PDFs, and texts <input name="screenshots" type="number" inputmode="numeric" min="0" max="100000000" step="1" value="${firstCounts.screenshots}"></label>
<label>Videos <input name="videos" type="number" inputmode="numeric" min="0" max="100000000" step="1" value="${firstCounts.videos}"></label>
</form></div>
<table><caption>Cost of such a month, after the first</caption>
<thead><tr><th scope="col">Plan</th><th scope="col" align="right">A month</th></tr></thead>
<tbody aria-live="polite">${(Object.keys(plans) as PlanName[]).map((name) => {
    const cost = monthlyCost(plans[name], firstCounts);
    return html`<tr data-plan="${name}"><th scope="row">${plans[name].label}</th><td align="right">${cost === undefined ? "stops at its quota" : `$${dollars(cost)}`}</td></tr>`;
  })}</tbody></table></section>`;
}

const docs = (path: string, label: string): Html => html`<a href="${BASE_PATH}/docs/${path}">${label}</a>`;

const questions: readonly (readonly [string, Html])[] = [
  [
    "What is a capture?",
    html`One successful result, of any size. A video counts as a video, however long it is; an image, a PDF, and a text
count as a screenshot. A full page of 60,000 pixels costs what a small one does.`,
  ],
  [
    "What happens at the quota?",
    html`A paid plan goes on, at the price of each further capture. The trial stops with the error ${docs("errors#QUOTA_EXCEEDED", "QUOTA_EXCEEDED")}.`,
  ],
  [
    "What costs nothing?",
    html`Failures, timeouts, detected bot challenges, invalid requests, answers of the ${docs("guide/cache", "cache")}, and
${MAX_TESTS_PER_DAY} captures a day with a ${docs("guide/keys-and-usage#keys-for-tests", "key for tests")}. Failures that your own rules,
scripts, storage, or cancellations cause are free as often as captures succeed, and at least ${MIN_FREE_FAILURES} times a month:
${docs("guide/costs#free-failures", "free failures")}.`,
  ],
  [
    "Can I change my plan?",
    html`At any time, on the screen Plan and invoices of the ${docs("guide/dashboard", "dashboard")}. A larger plan applies to the whole
current month. A smaller one, and a cancellation, begin with the next month, and you can take them back until then:
${docs("guide/subscription", "change or cancel")}.`,
  ],
  [
    "Where do I see what I have used?",
    html`In the ${docs("guide/dashboard", "dashboard")}, and over ${docs("guide/costs", "HTTP")}: by day, by key, and as an invoice of
each month.`,
  ],
  [
    "Can I run it myself?",
    html`Yes. The service is open source and deploys to your own AWS account, where 1,000 small captures cost about $0.02:
${docs("operate", "run it yourself")}.`,
  ],
];

export const pricingPage: PageContent = {
  path: "/pricing",
  markdown: markdownPath("/pricing"),
  title: "Pricing",
  description: "What the plans include, what a capture beyond them costs, and what your captures cost in a month.",
  kind: "landing",
  main: html`<section class="page-start"><h1>Pricing</h1>
<p class="lead">You pay for captures that succeed. Failures, refusals, and answers of the cache cost nothing, on every plan.</p>
${bySignUp({
  open: html``,
  closed: html`<p>The operator of this service opens accounts and changes plans${bySetting("support", {
    set: html`: ask at ${supportContact}`,
    unset: html``,
  })}.</p>`,
})}
</section>
<section class="plans"><h2 class="visually-hidden">Plans</h2>
${planCards}</section>
${calculator()}
<section class="questions"><h2>What counts</h2><dl>
${questions.map(([question, answer]) => html`<div><dt>${question}</dt><dd>${answer}</dd></div>`)}
</dl></section>`,
};
