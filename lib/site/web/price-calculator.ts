// The calculator of the pricing page: the cost of a month on each plan, as the invoices calculate it.
import { dollars } from "../../contract/money.ts";
import { type Counts, monthlyCost } from "../../contract/plan-cost.ts";
import { type PlanName, plans } from "../../contract/plans.ts";

/** Fills the table when the counts change, and marks the cheapest plan that doesn't end. */
export function addPriceCalculator(document: Document, form: HTMLFormElement): void {
  const update = () => showCosts(document, countsIn(form));
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  update();
}

function countsIn(form: HTMLFormElement): Counts {
  const count = (name: string) => Math.max(0, Math.floor(Number(new FormData(form).get(name)) || 0));
  return { screenshots: count("screenshots"), videos: count("videos") };
}

function showCosts(document: Document, counts: Counts): void {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("tr[data-plan]")].map((row) => {
    const plan = plans[row.dataset["plan"] as PlanName];
    return { row, plan, cost: monthlyCost(plan, counts) };
  });
  const lasting = rows.filter(({ plan }) => plan.trialDays === undefined);
  const cheapest = Math.min(...lasting.map(({ cost }) => cost ?? Number.POSITIVE_INFINITY));
  for (const { row, plan, cost } of rows) {
    const cell = row.cells[1];
    if (cell) cell.textContent = cost === undefined ? "stops at its quota" : `$${withCommas(dollars(cost))}`;
    row.classList.toggle("cheapest", plan.trialDays === undefined && cost === cheapest);
  }
}

const withCommas = (amount: string): string => amount.replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
