// The script of every page: copy buttons, the choice of a language for samples, and the search. Pages work without it.
import { addCopyButtons, addSampleTabs } from "./code-blocks.ts";
import { showKeyPrefix } from "./key-prefix.ts";
import { addOptionFilter } from "./option-filter.ts";
import { followReading } from "./page-navigation.ts";
import { addSearch } from "./search-dialog.ts";
import { markSession } from "./session-hint.ts";

markSession();
addSampleTabs(document);
addCopyButtons(document);
addOptionFilter(document);
addSearch(document);
followReading(document);
void showKeyPrefix(document);
const calculator = document.querySelector<HTMLFormElement>("form[data-calculator]");
if (calculator) {
  const { addPriceCalculator } = await import("./price-calculator.ts");
  addPriceCalculator(document, calculator);
}
