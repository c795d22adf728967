// Moves the focus in the list of the screen, whose rows are links: with the arrows from the field that finds, and within the list, and with
// j and k from everywhere.

/** The id of the field in the header. */
export const FIND_FIELD = "filter-search";

/** The link of each row, which Enter opens. */
const ROW_LINKS = ".row-link";

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Returns false when the key does not move in a list: it is then for the page. */
export function moveInList(
  { key, target }: KeyboardEvent,
  { withLetters }: { readonly withLetters: boolean },
): boolean {
  const step = steps[key];
  if (step === undefined || !(target instanceof HTMLElement)) return false;
  const links = [...document.querySelectorAll<HTMLElement>(ROW_LINKS)];
  const index = links.indexOf(target);
  const isField = target.matches("input, textarea, select");
  const isArrow = key.startsWith("Arrow");
  if (isArrow ? index < 0 && !(target.id === FIND_FIELD && step > 0) : isField || !withLetters) return false;
  if (index === 0 && step < 0 && isArrow) {
    document.getElementById(FIND_FIELD)?.focus();
    return true;
  }
  const next = links[index < 0 ? 0 : index + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return links.length > 0;
}
