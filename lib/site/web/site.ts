// The script of every page: copy buttons, the choice of a language for samples, and the search. Pages work without it.
import { addCopyButtons, addSampleTabs } from "./code-blocks.ts";
import { showKeyPrefix } from "./key-prefix.ts";
import { addOptionFilter } from "./option-filter.ts";
import { followReading } from "./page-navigation.ts";
import { addSearch } from "./search/search-button.ts";
import { markSession } from "./session-hint.ts";

markSession();
addSampleTabs(document);
addCopyButtons(document);
addOptionFilter(document);
addSearch(document);
followReading(document);
void showKeyPrefix(document);
const visitorForm = document.querySelector<HTMLFormElement>("form.capture-form");
visitorForm?.addEventListener("focusin", async () => (await import("./visitor-capture.ts")).wakeService(), {
  once: true,
});
visitorForm?.addEventListener("submit", async (event) => {
  event.preventDefault();
  (await import("./visitor-capture.ts")).captureForVisitor(visitorForm);
});
const shows = document.querySelector(".shows");
if (shows) {
  new IntersectionObserver(([entry], observer) => {
    if (!entry?.isIntersecting) return;
    observer.disconnect();
    void import("./landing-media.ts");
  }).observe(shows);
}
const calculator = document.querySelector<HTMLFormElement>("form[data-calculator]");
if (calculator) {
  const { addPriceCalculator } = await import("./price-calculator.ts");
  addPriceCalculator(document, calculator);
}
const changeFilter = document.querySelector<HTMLElement>("[data-change-filter]");
if (changeFilter) (await import("./change-filter.ts")).addChangeFilter(changeFilter);
