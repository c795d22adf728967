/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads the controls of an overlay: what a click on each of them does, by its label.
import { isShown, visibleText } from "../dom/appearance.ts";
import { elementsIn, parentElement } from "../dom/tree.ts";
import { normalizeText } from "./normalize-text.ts";
import { hasMatch, isAllMatches, type OverlayPatterns, textPattern } from "./patterns.ts";

export interface Control {
  readonly element: HTMLElement;
  /** The better, the higher: 5 and 4 reject everything, or something; 3 keeps what is necessary; 2 declines an offer; 1
   * closes; 0 is not to be clicked. */
  readonly rank: number;
  /** True for a control by which consent is given, refused or configured. */
  readonly isDecision: boolean;
  /** The answer to a question such as one of age; `leave` leads away from the page. */
  readonly answer: "yes" | "no" | "later" | "leave" | undefined;
  /** False for a control that is disabled, or leads to another page. */
  readonly canClick: boolean;
}

const MAX_ELEMENTS = 3_000;
const MAX_LABEL_CHARACTERS = 60;

const CONTROLS = "button, a, [role=button], input:is([type=button], [type=submit]), summary, [onclick]";
const DISMISSES = "[data-dismiss], [data-bs-dismiss], [data-close], [data-micromodal-close]";
const CLOSE_NAME = /(?:^|[-_ ])(?:close|dismiss|closer|schliessen|fermer|cerrar)(?:[-_ ]|btn|button|icon|$)/i;
const CROSS = /^[×✕✖✗✘╳❌❎⨯⨉☓🗙x]$/u;

export function readControls(overlay: Element, patterns: OverlayPatterns): Control[] {
  const doesCloseAccept = isClosingAccepting(overlay, patterns);
  return elementsIn(overlay, MAX_ELEMENTS, { frames: true })
    .filter((element) => isControl(element) && isShown(element))
    .map((element) => {
      const label = readLabel(element);
      const { rank, isDecision } = rankControl(element, label, { patterns, doesCloseAccept });
      const answer = readAnswer(label.text, patterns);
      const isDisabled = element.matches(":disabled, [aria-disabled=true]");
      const canClick = !isDisabled && ((rank === 0 && answer === undefined) || !leadsElsewhere(element));
      return { element: element as HTMLElement, rank: canClick ? rank : 0, isDecision, answer, canClick };
    });
}

function isControl(element: Element): boolean {
  if (element.matches(CONTROLS)) return true;
  const hasPointer = getComputedStyle(element).cursor === "pointer";
  if (!hasPointer || element.matches("label, input, select, option")) return false;
  const parent = parentElement(element);
  return !parent || getComputedStyle(parent).cursor !== "pointer";
}

/** True for links to other pages, and for submit buttons of forms that are sent elsewhere. */
function leadsElsewhere(element: Element): boolean {
  const here = element.ownerDocument.location;
  const isHere = (address: string) => {
    const target = URL.parse(address, element.ownerDocument.baseURI);
    if (target?.protocol === "javascript:") return true;
    return target?.origin === here.origin && target.pathname === here.pathname && target.search === here.search;
  };
  const link = element.closest("a[href]");
  if (link) {
    const address = link.getAttribute("href") ?? "";
    if (address.trim() === "") return !link.matches("[role=button]");
    if (!address.startsWith("#") && !isHere(address)) return true;
    if (!address.startsWith("#") && !/^\s*javascript:/i.test(address) && !address.includes("#")) return true;
  }
  const submits = element.matches("button:not([type=button], [type=reset]), input[type=submit]");
  const form = submits ? element.closest("form") : null;
  const action = element.getAttribute("formaction") ?? form?.getAttribute("action") ?? "";
  return form !== null && action.trim() !== "" && !isHere(action);
}

/** True for a banner that says, in one sentence, that closing it means consent. */
function isClosingAccepting(overlay: Element, patterns: OverlayPatterns): boolean {
  return visibleText(overlay, 3_000)
    .split(/[.!?。！？\n]/)
    .map(normalizeText)
    .some((sentence) => new RegExp(patterns.close, "u").test(sentence) && hasMatch(patterns.accept, sentence));
}

interface Label {
  /** The visible text, or the accessible name of a control without a word in it. */
  readonly text: string;
  readonly visible: string;
}

function readLabel(element: Element): Label {
  const visible = normalizeText(visibleText(element, 100) || (element.getAttribute("value") ?? ""));
  const name = normalizeText(element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "");
  const isVisibleText = /[\p{L}\p{N}]{2}/u.test(visible) || visible === "x" || name === "";
  return { text: isVisibleText ? visible : name, visible };
}

function readAnswer(label: string, patterns: OverlayPatterns): Control["answer"] {
  if (label.length > MAX_LABEL_CHARACTERS) return undefined;
  // Without numbers, as in "yes i am 18" and "over 21+".
  const words = label
    .replace(/\d+\+?/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (hasMatch(patterns.leave, label)) return "leave";
  if (isAllMatches(patterns.no, words) && !isAllMatches(patterns.yes, words)) return "no";
  if (isAllMatches(patterns.yes, words)) return "yes";
  return isAllMatches(patterns.later, label) ? "later" : undefined;
}

function rankControl(
  element: Element,
  { text, visible }: Label,
  { patterns, doesCloseAccept }: { readonly patterns: OverlayPatterns; readonly doesCloseAccept: boolean },
): Pick<Control, "rank" | "isDecision"> {
  const { reject, accept, all, only, needed, settings, later, paid } = patterns;
  if (text.length > MAX_LABEL_CHARACTERS || hasMatch(paid, text)) return { rank: 0, isDecision: false };
  const rest = text.replace(textPattern(reject), " ");
  const isRejecting = rest !== text;
  if (isRejecting && !hasMatch(accept, rest) && !hasMatch(settings, rest)) {
    return { rank: hasMatch(all, text) || /without|ohne|sans|sin |senza|sem /.test(text) ? 5 : 4, isDecision: true };
  }
  if (hasMatch(only, text) && hasMatch(needed, text)) return { rank: 3, isDecision: true };
  if (isAllMatches(later, text)) return { rank: 2, isDecision: false };
  const isClosingLabel = new RegExp(`^(?:${patterns.close})`, "u").test(text) && text.length <= 40;
  const closes = CROSS.test(text) || isClosingLabel || CROSS.test(visible);
  const name = `${element.getAttribute("class")} ${element.id}`.replace(/([a-z])([A-Z])/g, "$1-$2");
  const isIcon = [...text].length <= 2;
  const isClose = closes || ((CLOSE_NAME.test(name) || element.matches(DISMISSES)) && isIcon);
  if (isClose && !hasMatch(accept, text)) return { rank: doesCloseAccept ? 0 : 1, isDecision: doesCloseAccept };
  return { rank: 0, isDecision: hasMatch(accept, text) || hasMatch(settings, text) || isRejecting };
}
