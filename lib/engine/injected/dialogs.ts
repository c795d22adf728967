/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: finds boxes that lie over it, closes them, and undoes what they did to it.
import type { gate, Words } from "../overlays/vocabulary.ts";

/** Sources of regular expressions over text that `plain` has made comparable; those of names are over ids and classes. */
export type OverlayPatterns = Readonly<
  Record<keyof Words | keyof typeof gate | "paid" | "boxNames" | "gateNames" | "chatNames" | "consentNames", string>
>;

interface Wanted {
  readonly what: "consent" | "any";
  /** True where nothing is clicked. */
  readonly onlyHides: boolean;
  /** A consent banner has been closed before, whose veil may be left. */
  readonly afterConsent: boolean;
  readonly patterns: OverlayPatterns;
}

/** What a control of a box does, best first; 0 for what is not to be clicked. */
export interface Label {
  readonly control: HTMLElement;
  /** 5 and 4 reject all, or something; 3 leaves what is necessary; 2 says no to an offer; 1 closes. */
  readonly rank: number;
  /** True where consent is asked for by it, in one way or another. */
  readonly decides: boolean;
  /** What it answers to a question, such as one of age; `leave` leads away from the page. */
  readonly answer: "yes" | "no" | "later" | "leave" | undefined;
  /** False for what is disabled or known to lead to another page. */
  readonly canClick: boolean;
}

/** Makes words comparable: no case, no accents, no punctuation, one space between them. Goes along to other scripts. */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0655\u200b-\u200f\u00ad]|\ufe0f/g, "")
    .normalize("NFC")
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .replace(/ł/g, "l")
    .replace(/ς/g, "σ")
    .replace(/[يى]/g, "ی")
    .replace(/ك/g, "ک")
    .replace(/[-.,!?;:"„“”«»()[\]¡¿…。、，！？：；·•|/–—→›>।\s]+/g, " ")
    .trim();
}

/** What the scripts below share: the elements of a page and what is to be seen of them. Goes along to them. */
export function pageTools() {
  /** Names of fields hide the properties of their form. */
  const parentOf = (node: Node): Element | null => {
    const parent = Reflect.get(Node.prototype, "parentNode", node) as Node | null;
    if (parent?.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return (parent as ShadowRoot).host ?? null;
    return parent?.nodeType === Node.ELEMENT_NODE ? (parent as Element) : null;
  };
  const contains = (outer: Element, inner: Element): boolean => {
    for (let each: Element | null = inner; each; each = parentOf(each)) if (each === outer) return true;
    return false;
  };
  /** The document of a frame of the same origin. */
  const documentIn = (element: Element): Document | null => {
    if (element.tagName !== "IFRAME" && element.tagName !== "FRAME") return null;
    try {
      return (element as HTMLIFrameElement).contentDocument;
    } catch {
      return null;
    }
  };
  const bodyOf = (of: Document) => Reflect.get(Document.prototype, "body", of) as HTMLElement | null;
  /** An element and all within it in open shadow roots, and in frames where asked, in the page's order; at most `most`. */
  const elementsIn = (from: Element, most: number, { frames = false } = {}): Element[] => {
    const found: Element[] = [];
    const visit = (element: Element) => {
      if (found.length >= most) return;
      found.push(element);
      const shadow = Reflect.get(Element.prototype, "shadowRoot", element) as ShadowRoot | null;
      for (const child of shadow ? Reflect.get(DocumentFragment.prototype, "children", shadow) : []) visit(child);
      for (const child of Reflect.get(Element.prototype, "children", element) as HTMLCollection) visit(child);
      const inner = frames ? documentIn(element) : null;
      if (inner?.documentElement) visit(inner.documentElement);
    };
    visit(from);
    return found;
  };
  const styleOf = (element: Element, part?: string) => getComputedStyle(element, part);
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    (element.checkVisibility() && element.getAnimations().some(({ playState }) => playState === "running"));
  const viewOf = (element: Element) => {
    const { innerWidth: width = 0, innerHeight: height = 0 } = element.ownerDocument.defaultView ?? {};
    return { width, height };
  };
  /** How much of the window an element takes, 0 to 1. */
  const shareOf = (element: Element): number => {
    const { width, height } = viewOf(element);
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const across = Math.min(right, width) - Math.max(left, 0);
    const down = Math.min(bottom, height) - Math.max(top, 0);
    return across > 0 && down > 0 ? (across * down) / (width * height) : 0;
  };
  const unseen = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "OPTION"]);
  /** The text an element shows by itself. */
  const ownText = (element: Element): string => {
    if (unseen.has(element.tagName)) return "";
    let text = "";
    for (const node of Reflect.get(Node.prototype, "childNodes", element) as NodeListOf<ChildNode>) {
      if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue;
    }
    return text.trim() === "" ? "" : text.replace(/\s+/g, " ").trim();
  };
  /** The text an element shows with all that is in it, at most about `most` characters. */
  const textOf = (element: Element, most: number): string => {
    let text = "";
    for (const each of elementsIn(element, 3_000, { frames: true })) {
      const own = ownText(each);
      if (own === "" || !each.checkVisibility({ visibilityProperty: true })) continue;
      text += ` ${own}`;
      if (text.length > most) break;
    }
    return text;
  };
  const colourAlpha = (colour: string): number => {
    const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(colour)?.[1] ?? /\/\s*([\d.]+)\)$/.exec(colour)?.[1];
    return alpha === undefined ? 1 : Number(alpha);
  };
  /** Ids, classes and what else an element is called by, with dashes where capitals are. */
  const nameOf = (element: Element): string =>
    ["id", "class", "name", "title", "src", "aria-label", "data-testid"]
      .map((attribute) => (element.getAttribute(attribute) ?? "").slice(0, 200))
      .join(" ")
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase();
  const hide = (element: Element) => {
    (element as HTMLElement).style.setProperty("display", "none", "important");
  };
  return {
    parentOf,
    contains,
    documentIn,
    bodyOf,
    elementsIn,
    styleOf,
    isShown,
    viewOf,
    shareOf,
    ownText,
    textOf,
    colourAlpha,
    nameOf,
    hide,
  };
}

/**
 * How much a document shows outside of some elements: a point for a character, more for images, fields and what has a
 * colour of its own. Heads and feet count only where asked. Goes along to other scripts.
 */
export function pageContent(tools: ReturnType<typeof pageTools>, of: Document) {
  const { bodyOf, elementsIn, ownText, styleOf, colourAlpha, contains, viewOf } = tools;
  const body = bodyOf(of);
  const grounds = new Set(
    [of.documentElement, body].filter(Boolean).map((each) => styleOf(each as Element).backgroundColor),
  );
  const media = /^(IMG|VIDEO|CANVAS|SVG|IFRAME|OBJECT|EMBED|PICTURE)$/i;
  const parts: { element: Element; weight: number; isEdge: boolean }[] = [];
  for (const element of body ? elementsIn(body, 20_000) : []) {
    if (element === body) continue;
    const text = ownText(element).length;
    const isMedia = media.test(element.tagName);
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    let weight = text;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (weight === 0) {
      const { width, height } = element.getBoundingClientRect();
      if (width * height < 400) continue;
      const { width: across, height: down } = viewOf(element);
      if (isMedia) weight = width * height > 2_500 ? 100 : 5;
      else if (isField) weight = 20;
      else {
        const { backgroundColor, backgroundImage } = styleOf(element);
        const isGround =
          colourAlpha(backgroundColor) < 0.95 ||
          grounds.has(backgroundColor) ||
          backgroundColor === "rgb(255, 255, 255)";
        if (isGround && backgroundImage === "none") continue;
        weight = width * height > 0.05 * across * down ? 40 : 5;
      }
    }
    parts.push({
      element,
      weight,
      isEdge: element.closest("header, footer, nav, [role=banner], [role=contentinfo]") !== null,
    });
  }
  /** Of what is neither in nor around these elements. */
  const outside = (without: readonly Element[], { edges }: { edges: boolean }): number => {
    let sum = 0;
    for (const { element, weight, isEdge } of parts) {
      if (isEdge && !edges) continue;
      if (without.some((each) => contains(each, element) || contains(element, each))) continue;
      sum += weight;
    }
    return sum;
  };
  /** Whether an element lies over anything that is not its own. */
  const liesOver = (box: Element): boolean => {
    const one = box.getBoundingClientRect();
    return parts.some(({ element }) => {
      if (contains(box, element) || contains(element, box)) return false;
      const other = element.getBoundingClientRect();
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      return across > 4 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
    });
  };
  return { outside, liesOver };
}

/** What the controls of a box do, by their labels. Goes along to other scripts. */
export function readLabels(
  box: Element,
  patterns: OverlayPatterns,
  plain: (text: string) => string,
  tools: ReturnType<typeof pageTools>,
): Label[] {
  const { elementsIn, textOf, styleOf, parentOf, isShown } = tools;
  const pattern = (source: string) => new RegExp(source, "gu");
  const [reject, accept, all, only, needed] = [
    pattern(patterns.reject),
    pattern(patterns.accept),
    pattern(patterns.all),
    pattern(patterns.only),
    pattern(patterns.needed),
  ];
  const [settings, later, paid] = [pattern(patterns.settings), pattern(patterns.later), pattern(patterns.paid)];
  const [yes, no, leave] = [pattern(patterns.yes), pattern(patterns.no), pattern(patterns.leave)];
  const has = (where: RegExp, text: string) => text.search(where) >= 0;
  const isAll = (where: RegExp, text: string) => text !== "" && text.replace(where, "").trim() === "";
  const closing = new RegExp(`^(?:${patterns.close})`, "u");
  const cross = /^[×✕✖✗✘╳❌❎⨯⨉☓🗙x]$/u;

  const isControl = (element: Element): boolean => {
    if (element.matches("button, a, [role=button], input:is([type=button], [type=submit]), summary, [onclick]"))
      return true;
    if (styleOf(element).cursor !== "pointer" || element.matches("label, input, select, option")) return false;
    const parent = parentOf(element);
    return !parent || styleOf(parent).cursor !== "pointer";
  };
  /** Links to other pages, and forms that are sent elsewhere, are not followed. */
  const leadsElsewhere = (element: Element): boolean => {
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
    const sends = element.matches("button:not([type=button], [type=reset]), input[type=submit]");
    const form = sends ? element.closest("form") : null;
    const action = element.getAttribute("formaction") ?? form?.getAttribute("action") ?? "";
    return form !== null && action.trim() !== "" && !isHere(action);
  };
  /** Closing is agreeing where the box says so in one sentence. */
  const bySaying = textOf(box, 3_000)
    .split(/[.!?。！？\n]/)
    .map(plain)
    .some((sentence) => new RegExp(patterns.close, "u").test(sentence) && has(accept, sentence));

  const labelOf = (element: Element): { label: string; shown: string } => {
    const shown = plain(textOf(element, 100) || (element.getAttribute("value") ?? ""));
    const said = plain(element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "");
    return { label: has(/[\p{L}\p{N}]{2}/u, shown) || shown === "x" || said === "" ? shown : said, shown };
  };
  const answerOf = (label: string): Label["answer"] => {
    const words = label
      .replace(/\d+\+?/g, " ")
      .replace(/\s+/g, " ")
      .trim(); // "yes i am 18", "over 21+"
    if (label.length > 60) return undefined;
    if (has(leave, label)) return "leave";
    if (isAll(no, words) && !isAll(yes, words)) return "no";
    if (isAll(yes, words)) return "yes";
    return isAll(later, label) ? "later" : undefined;
  };

  const rankOf = (element: Element): { rank: number; decides: boolean } => {
    const { label, shown } = labelOf(element);
    const named = `${element.getAttribute("class")} ${element.id}`;
    const isNamedClose =
      /(?:^|[-_ ])(?:close|dismiss|closer|schliessen|fermer|cerrar)(?:[-_ ]|btn|button|icon|$)/i.test(
        named.replace(/([a-z])([A-Z])/g, "$1-$2"),
      );
    const dismisses = element.matches("[data-dismiss], [data-bs-dismiss], [data-close], [data-micromodal-close]");
    const isShort = [...label].length <= 2;
    if (label.length > 60) return { rank: 0, decides: false };
    const rest = label.replace(reject, " ");
    if (has(paid, label)) return { rank: 0, decides: false };
    if (rest !== label && !has(accept, rest) && !has(settings, rest)) {
      return { rank: has(all, label) || /without|ohne|sans|sin |senza|sem /.test(label) ? 5 : 4, decides: true };
    }
    if (has(only, label) && has(needed, label)) return { rank: 3, decides: true };
    if (isAll(later, label)) return { rank: 2, decides: false };
    const closes = cross.test(label) || (closing.test(label) && label.length <= 40) || cross.test(shown);
    const isClose = (closes || ((isNamedClose || dismisses) && isShort)) && !has(accept, label);
    if (isClose) return { rank: bySaying ? 0 : 1, decides: bySaying };
    return { rank: 0, decides: has(accept, label) || has(settings, label) || rest !== label };
  };

  return elementsIn(box, 3_000, { frames: true })
    .filter((element) => isControl(element) && isShown(element))
    .map((element) => {
      const { rank, decides } = rankOf(element);
      const answer = answerOf(labelOf(element).label);
      const isOff = element.matches(":disabled, [aria-disabled=true]");
      const canClick = !isOff && ((rank === 0 && answer === undefined) || !leadsElsewhere(element));
      return { control: element as HTMLElement, rank: canClick ? rank : 0, decides, answer, canClick };
    });
}

export interface FoundOverlay {
  readonly box: HTMLElement;
  readonly kind: "consent" | "overlay" | "chat";
  readonly labels: readonly Label[];
  /** True where it asks a question that lets only some visitors in: "no" would lead away. */
  readonly isGate: boolean;
  /** What lies in it. */
  readonly inner?: readonly FoundOverlay[];
}

/** What lies over a document, and the veils between. Goes along to other scripts. */
export function findOverlays(
  of: Document,
  { what, afterConsent, patterns }: Wanted,
  plain: (text: string) => string,
  tools: ReturnType<typeof pageTools>,
  pageContent: (
    tools: ReturnType<typeof pageTools>,
    of: Document,
  ) => {
    outside: (without: readonly Element[], how: { edges: boolean }) => number;
    liesOver: (box: Element) => boolean;
  },
  labelsOf: (
    box: Element,
    patterns: OverlayPatterns,
    plain: (text: string) => string,
    tools: ReturnType<typeof pageTools>,
  ) => Label[],
): { boxes: FoundOverlay[]; veils: HTMLElement[] } {
  const { bodyOf, elementsIn, styleOf, isShown, shareOf, viewOf, textOf, parentOf, nameOf, colourAlpha, documentIn } =
    tools;
  const body = bodyOf(of);
  if (!body) return { boxes: [], veils: [] };
  const dialogs = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]";
  const all = elementsIn(body, 20_000);

  // Whatever is lifted off the page: pinned to the window, or laid over its place.
  const lifted: HTMLElement[] = [];
  for (const element of all) {
    if (element === body) continue;
    const { position, zIndex } = styleOf(element);
    if (position === "static" || position === "relative") continue;
    const isHigh = Number(zIndex) >= 10 || element.matches(dialogs) || element.matches(":popover-open");
    if (position === "absolute" && !isHigh) continue;
    if (shareOf(element) > 0 ? isShown(element) : element.getAnimations().length > 0 && isShown(element)) {
      lifted.push(element as HTMLElement);
    }
  }
  if (lifted.length === 0) return { boxes: [], veils: [] };
  let known: ReturnType<typeof pageContent> | undefined;
  const content = () => {
    known ??= pageContent(tools, of);
    return known;
  };

  // A veil has nothing in it, covers the window, and takes the clicks that were meant for the page.
  const isVeil = (element: HTMLElement): boolean => {
    if (shareOf(element) < 0.9 || element.matches("iframe, canvas, img, video, svg, main, [role=main]")) return false;
    const { position, zIndex, pointerEvents, backgroundColor, backgroundImage, backdropFilter, opacity } =
      styleOf(element);
    if (pointerEvents === "none" || Number(zIndex) < 0 || position === "sticky") return false;
    const alpha = colourAlpha(backgroundColor) * Number(opacity);
    const isPainted = (alpha > 0.05 && alpha < 0.99) || backdropFilter !== "none" || backgroundImage !== "none";
    return (
      isPainted &&
      elementsIn(element, 20).length < 10 &&
      textOf(element, 10).trim() === "" &&
      !element.querySelector("img, video, canvas, svg, iframe")
    );
  };
  const veils = lifted.filter(isVeil);
  const isLocked = [of.documentElement, body].some(
    (each) => /hidden|clip/.test(styleOf(each).overflowY) || styleOf(each).position === "fixed",
  );

  const distinct = (source: string, text: string) => new Set(text.match(new RegExp(source, "gu")) ?? []).size;
  const isNamed = (box: Element, names: string) => {
    const pattern = new RegExp(names);
    return elementsIn(box, 12).some((each) => pattern.test(nameOf(each)));
  };
  const typed =
    "input:not([type=hidden], [type=submit], [type=button], [type=checkbox], [type=radio], [type=range]), textarea";
  const within = (box: Element, selector: string) =>
    elementsIn(box, 3_000, { frames: true }).filter((each) => each !== box && each.matches(selector));

  /**
   * A consent box speaks of cookies or of privacy in the words of one, or is named one, and asks for a decision. It wants
   * nothing typed.
   */
  const isConsent = (box: HTMLElement, text: string, labels: readonly Label[]): boolean => {
    const [cookie, privacy, context] = [
      distinct(patterns.cookie, text),
      distinct(patterns.privacy, text),
      distinct(patterns.context, text),
    ];
    const isPinnedHead = styleOf(box).position === "sticky" || box.matches("header");
    const decides = labels.some((label) => label.decides);
    const rejects = labels.some(({ rank, decides }) => rank > 2 && decides);
    const accepts = labels.some(({ rank, decides }) => rank === 0 && decides);
    const speaks =
      (cookie > 0 && privacy + context > 0) ||
      (!isPinnedHead && privacy > 0 && privacy + context > 2) ||
      (!isPinnedHead && rejects && accepts && privacy + context > 1) ||
      (decides && cookie + privacy + context > 0 && isNamed(box, patterns.consentNames));
    if (!speaks || within(box, typed).some(isShown)) return false;
    return decides || (labels.some(({ rank }) => rank > 0) && !isPinnedHead);
  };

  /** A chat is named so, small, and sits in a lower corner. */
  const isChat = (box: HTMLElement): boolean => {
    const { left, right, bottom, width, height } = box.getBoundingClientRect();
    const view = viewOf(box);
    const isCornered = bottom > view.height - 140 && (right > view.width - 140 || left < 140);
    const isSmall = width <= Math.max(480, 0.4 * view.width) && height <= 0.95 * view.height && shareOf(box) < 0.6;
    return isCornered && isSmall && styleOf(box).position === "fixed" && isNamed(box, patterns.chatNames);
  };

  /** Something else lies over the page where more than one thing says so: its role, a veil, a way to close it, its name … */
  const isOverlay = (box: HTMLElement, text: string, labels: readonly Label[]): boolean => {
    const parts = "main, nav, article, [role=main], [role=navigation]";
    if (
      box.matches(`${parts}, header, footer, [role=banner], [role=toolbar], [role=menu], [role=search], [role=tooltip]`)
    )
      return false;
    if (within(box, parts).some(isShown)) return false;
    const isDialog = box.matches(dialogs) || within(box, dialogs).some(isShown);
    if (styleOf(box).position !== "fixed" && !isDialog) return false;
    const share = shareOf(box);
    if (share < 0.02) return false;
    const links = within(box, "a[href]:not([href^='#'], [href^='javascript:'])").filter(isShown);
    if (links.length > 5 && links.reduce((sum, link) => sum + textOf(link, 200).length, 0) > text.length / 2)
      return false;
    const { width, height, top, bottom } = box.getBoundingClientRect();
    const view = viewOf(box);
    const isBar = width > 0.9 * view.width && height < 0.4 * view.height && (top < 5 || bottom > view.height - 5);
    const closes = labels.some(({ rank }) => rank > 0);
    const names = isNamed(box, patterns.boxNames);
    const words = distinct(patterns.offer, text) > 0;
    const isCover =
      share > 0.95 && (colourAlpha(styleOf(box).backgroundColor) > 0.05 || styleOf(box).backdropFilter !== "none");
    const isVeiled = veils.some((veil) => veil !== box) || isCover || box.matches(":modal");
    if (isBar && !isDialog && !isVeiled) return closes && (names || words);
    if (!isDialog && !isVeiled && !content().liesOver(box)) return false;
    const score = (isDialog ? 2 : 0) + (isVeiled ? 2 : 0) + [isLocked, closes, names, words].filter(Boolean).length;
    return score >= 3;
  };

  /** A gate asks for the age, or wants yes or no. */
  const isGateOf = (box: HTMLElement, text: string, labels: readonly Label[]): boolean => {
    const answers = (wanted: Label["answer"]) => labels.some(({ answer }) => answer === wanted);
    return distinct(patterns.age, text) > 0 || isNamed(box, patterns.gateNames) || (answers("yes") && answers("no"));
  };

  const judge = (box: HTMLElement): FoundOverlay | undefined => {
    if (veils.includes(box)) return undefined;
    const { height, width } = box.getBoundingClientRect();
    if (what === "any" && isChat(box)) return { box, kind: "chat", labels: [], isGate: false };
    if (width < 60 || height < 20) return undefined;
    const isOpaqueFrame = box.tagName === "IFRAME" && !documentIn(box);
    if (isOpaqueFrame) {
      const isNamedSo = new RegExp(patterns.consentNames).test(nameOf(box)) && styleOf(box).position === "fixed";
      return isNamedSo ? { box, kind: "consent", labels: [], isGate: false } : undefined;
    }
    const text = plain(textOf(box, 6_000));
    if (text.length > 5_000 || text === "") return undefined;
    const mayBe = new RegExp(`${patterns.cookie}|${patterns.privacy}|${patterns.context}`, "u").test(text);
    if (!mayBe && what === "consent") return undefined;
    const labels = labelsOf(box, patterns, plain, tools);
    const isGate = isGateOf(box, text, labels);
    if (mayBe && isConsent(box, text, labels)) return { box, kind: "consent", labels, isGate };
    return what === "any" && isOverlay(box, text, labels) ? { box, kind: "overlay", labels, isGate } : undefined;
  };

  const isLifted = new Set<Element | null>([null, ...lifted]);
  const liftedAround = (element: Element): Element | null => {
    let outer = parentOf(element);
    while (!isLifted.has(outer)) outer = outer && parentOf(outer);
    return outer;
  };
  const parents = new Map(lifted.map((each) => [each, liftedAround(each)]));
  let judged = 0;
  /** The outermost that is a box and not the page; where it seems to be the page, what is in it. */
  const visit = (around: Element | null): FoundOverlay[] =>
    lifted
      .filter((each) => parents.get(each) === around)
      .flatMap((box) => {
        if (judged++ > 200) return [];
        const found = judge(box);
        const inner = visit(box);
        if (!found) return inner;
        const own = textOf(box, 6_000).length - inner.reduce((sum, each) => sum + textOf(each.box, 6_000).length, 0);
        const isPage = inner.length > 0 && content().outside([box, ...veils], { edges: true }) < own;
        return isPage ? inner : [{ ...found, inner }];
      });

  /** Without its boxes a page must still show something: more than edges, and a form that is the page stays. */
  const needs = ({ box, kind }: FoundOverlay): number => {
    if (kind !== "overlay") return 1;
    return within(box, "input[type=password], input[autocomplete=username]").length > 0 ? 400 : 40;
  };
  const size = ({ box, kind }: FoundOverlay) => (kind === "overlay" ? 1e6 : 0) + textOf(box, 6_000).length;
  const taken: FoundOverlay[] = [];
  const waiting = visit(null).sort((one, other) => size(one) - size(other));
  for (const found of waiting) {
    const without = [...taken.map(({ box }) => box), found.box, ...veils];
    if (content().outside(without, { edges: found.kind !== "overlay" }) >= needs(found)) taken.push(found);
    else waiting.push(...(found.inner ?? []));
  }
  taken.sort((one, other) => lifted.indexOf(one.box) - lifted.indexOf(other.box));

  // What is around a box and shows nothing else is part of it.
  const boxes = taken.map((found) => {
    let { box } = found;
    for (let outer = parentOf(box); outer && outer !== body; outer = parentOf(outer)) {
      const isMore =
        textOf(outer, 6_000).length > textOf(box, 6_000).length + 2 || outer.querySelector("main, article") !== null;
      const shown = (element: Element) => within(element, "img, video, canvas, iframe, input").filter(isShown).length;
      if (isMore || shown(outer) > shown(box) || styleOf(outer).position === "static") break;
      box = outer as HTMLElement;
    }
    return { ...found, box };
  });
  const areVeilsDue = boxes.some(({ kind }) => kind !== "chat") || afterConsent;
  return { boxes, veils: areVeilsDue ? veils.filter((veil) => content().outside([veil], { edges: true }) > 0) : [] };
}

/**
 * Closes what lies over the page, and keeps it for `takeAwayBoxes`. Tells how many boxes there are that it has not met
 * before, and whether one of them was clicked, which may take a while to go.
 */
export function closeOverlays(
  wanted: Wanted,
  plain: (text: string) => string,
  pageTools_: typeof pageTools,
  pageContent_: typeof pageContent,
  labelsOf_: typeof readLabels,
  findBoxes_: typeof findOverlays,
): { closed: number; clicked: boolean } {
  const tools = pageTools_();
  const { bodyOf, elementsIn, documentIn, shareOf, isShown } = tools;
  const state = globalThis as unknown as { closedBoxes?: { box: HTMLElement; veils: HTMLElement[] }[] };
  state.closedBoxes ??= [];
  const met = new Set(state.closedBoxes.map(({ box }) => box));
  const documents = [document];
  for (const each of documents) {
    const body = bodyOf(each);
    for (const frame of body ? elementsIn(body, 20_000) : []) {
      const inner = documentIn(frame);
      if (inner && isShown(frame) && shareOf(frame) > 0.2 && documents.length < 20) documents.push(inner);
    }
  }
  /** What is to be clicked of a box, if anything: never what may lead away from the page. */
  const choose = ({ kind, labels, isGate }: FoundOverlay): Label | undefined => {
    const ranked = labels
      .filter(({ rank, answer }) => rank > 0 && answer !== "leave")
      .sort((one, other) => other.rank - one.rank);
    if (kind === "consent") return ranked.find(({ rank }) => rank !== 2 || !isGate);
    const closing = ranked.find(({ rank }) => rank === 1);
    if (isGate) return labels.find(({ answer, canClick }) => answer === "yes" && canClick) ?? closing;
    // An offer is closed rather than answered. What refuses anything else may be a question that only looks like one.
    return closing ?? ranked.find(({ answer }) => answer === "later" || answer === "no");
  };
  let [closed, clicked] = [0, false];
  const gone: Element[] = [];
  for (const each of documents) {
    const frame = each === document ? null : (each.defaultView?.frameElement ?? null);
    if (frame && gone.some((box) => tools.contains(box, frame))) continue;
    const { boxes, veils } = findBoxes_(each, wanted, plain, tools, pageContent_, labelsOf_);
    for (const found of boxes) {
      const { box, kind } = found;
      gone.push(box);
      if (!met.has(box)) closed++;
      const best = wanted.onlyHides ? undefined : choose(found);
      if (best && !met.has(box)) {
        best.control.click();
        clicked = true;
      } else if (kind === "overlay" && !wanted.onlyHides && !met.has(box)) {
        const keys = { key: "Escape", code: "Escape", keyCode: 27, bubbles: true, cancelable: true, composed: true };
        for (const type of ["keydown", "keyup"]) box.dispatchEvent(new KeyboardEvent(type, keys));
      }
      state.closedBoxes.push({ box, veils });
    }
    if (boxes.length === 0 && veils.length > 0) {
      for (const veil of veils) tools.hide(veil);
      closed++;
    }
  }
  return { closed, clicked };
}

/** How many of the closed boxes are still to be seen; hides them and their veils where it `isLast`. */
export function removeOverlays(isLast: boolean, pageTools_: typeof pageTools): number {
  const { isShown, hide, shareOf, elementsIn } = pageTools_();
  const { closedBoxes = [] } = globalThis as { closedBoxes?: { box: HTMLElement; veils: HTMLElement[] }[] };
  const isSeen = (element: HTMLElement) => element.isConnected && isShown(element) && shareOf(element) > 0;
  const left = closedBoxes.filter(({ box }) => isSeen(box));
  if (!isLast) return left.length;
  for (const { box, veils } of closedBoxes) {
    for (const dialog of box.isConnected ? elementsIn(box, 500) : []) {
      if (dialog.matches("dialog[open]") && isSeen(box)) (dialog as HTMLDialogElement).close();
    }
    for (const element of [box, ...veils]) if (isSeen(element)) hide(element);
  }
  return left.length;
}

/**
 * Lets the page scroll and takes its blur away, where a box was closed, or where one is hidden that has left the page
 * locked. An application that fits into its window, or scrolls within, is left. True where something was undone.
 */
export function restoreScroll(
  { hasClosed, consentNames }: { hasClosed: boolean; consentNames: string },
  pageTools_: typeof pageTools,
): boolean {
  const { bodyOf, elementsIn, styleOf, shareOf, viewOf, nameOf, isShown } = pageTools_();
  const [root, body] = [document.documentElement, bodyOf(document)];
  if (!body) return false;
  const isClipped = (element: Element) => /hidden|clip/.test(styleOf(element).overflowY);
  const isPinned = (element: Element) => styleOf(element).position === "fixed";
  const view = viewOf(root);
  if (!hasClosed) {
    if (!isClipped(root) && !isClipped(body) && !isPinned(body)) return false;
    const pattern = new RegExp(consentNames);
    const isHidden = (element: Element) =>
      pattern.test(nameOf(element)) && styleOf(element).display === "none" && styleOf(element).position === "fixed";
    const isCovering = (element: Element) =>
      shareOf(element) > 0.3 && styleOf(element).position === "fixed" && isShown(element);
    const all = elementsIn(body, 20_000);
    if (!all.some(isHidden) || all.some(isCovering)) return false;
  }
  let [undone, scrolledTo] = [false, 0];
  const set = (element: HTMLElement, rules: Readonly<Record<string, string>>) => {
    for (const [property, value] of Object.entries(rules)) element.style.setProperty(property, value, "important");
  };
  const scrolls = elementsIn(body, 20_000).some(
    (each) =>
      each !== body &&
      /auto|scroll/.test(styleOf(each).overflowY) &&
      each.scrollHeight > each.clientHeight + 1 &&
      each.clientWidth * each.clientHeight > 0.5 * view.width * view.height,
  );
  const height = Math.max(root.scrollHeight, body.scrollHeight);
  const isTaller = height > view.height + 1;

  // Pinned where it had been scrolled to, as telephones need it.
  if (isPinned(body) && isTaller) {
    const scrolled = -Number.parseFloat(styleOf(body).top) || 0;
    set(body, { position: "static", top: "auto", width: "auto" });
    scrolledTo = scrolled;
    undone = true;
  }
  if (isTaller && !scrolls) {
    for (const element of [root, body]) {
      if (!isClipped(element)) continue;
      set(element, { "overflow-y": "visible" });
      undone = true;
    }
    const inner = styleOf(body);
    if (undone && /auto|scroll/.test(inner.overflowY) && body.scrollHeight > body.clientHeight + 1)
      set(body, { height: "auto", "max-height": "none" });
    if (undone)
      for (const element of [root, body])
        if (element.style.paddingRight !== "") element.style.removeProperty("padding-right");
  }
  for (const element of [root, body]) {
    if (styleOf(element).touchAction === "none") set(element, { "touch-action": "auto" });
  }
  // The page itself and what most of it lies in.
  const wrappers: HTMLElement[] = [root, body];
  for (const wrapper of wrappers) {
    if (wrapper === root || wrappers.length > 200) continue;
    for (const child of Reflect.get(Element.prototype, "children", wrapper) as HTMLCollectionOf<HTMLElement>) {
      if (child.getBoundingClientRect().width > 0.5 * view.width && shareOf(child) > 0.01) wrappers.push(child);
    }
  }
  for (const wrapper of wrappers) {
    const { filter, pointerEvents } = styleOf(wrapper);
    if (/blur\(/.test(filter)) {
      set(wrapper, { filter: "none", transition: "none" });
      undone = true;
    }
    if (pointerEvents === "none") set(wrapper, { "pointer-events": "auto" });
    if (wrapper.hasAttribute("inert")) wrapper.removeAttribute("inert");
    if (wrapper.getAttribute("aria-hidden") === "true") wrapper.removeAttribute("aria-hidden");
  }
  if (scrolledTo > 0) window.scrollTo({ top: scrolledTo, behavior: "instant" });
  return undone;
}
