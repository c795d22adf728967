/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside each document, sent there as text: hides what filter lists name, and tells of elements as they come.
import type { findByProcedure, Selector } from "./procedural-selectors.ts";

/** Something to be done to elements that a selector of filter lists describes: `act`, or the style they are given. */
export interface Procedure {
  readonly find: Selector;
  readonly act?: Selector;
  readonly style?: string;
}

/** What a document tells; each name once. */
export interface DocumentReport {
  /** Address of the document, and that of the one it has its rights from. */
  readonly url: string;
  readonly origin: string;
  /** True at its beginning, unless it had its orders before. */
  readonly begun?: true;
  readonly ids?: readonly string[];
  readonly classes?: readonly string[];
  readonly hrefs?: readonly string[];
  /** Addresses of pictures and the like that did not come. */
  readonly failed?: readonly string[];
}

/** What a document is told. */
export interface Orders {
  /** Address of the document that is meant, where all get to read it. */
  readonly url?: string;
  /** True where the selectors for all documents hold, but for those of `except`. */
  readonly generic?: boolean;
  readonly except?: readonly string[];
  readonly rules?: readonly string[];
  readonly procedures?: readonly Procedure[];
  /** Addresses of what was blocked, whose room is taken away. */
  readonly collapse?: readonly string[];
}

export interface Watching {
  /** Name of the function that takes reports as JSON, and of the one that `Orders` are given to. */
  readonly names: { readonly report: string; readonly order: string };
  readonly generic: readonly string[];
  /** Bounds for a page that makes elements for ever: how many are looked at, and how often procedures are run. */
  readonly most: { readonly elements: number; readonly procedures: number };
}

/**
 * Begins before the document has any content. The style sheet is adopted, not written: no policy of the page forbids
 * that, and its elements stay as they are. Names are told in the same moment in which elements appear, so that what they
 * bring about is on its way before anybody can ask for a picture.
 */
export function watchDocument(find: typeof findByProcedure, { names, generic, most }: Watching): void {
  const tell = Reflect.get(globalThis, names.report) as (report: string) => void;
  const sheet = new CSSStyleSheet();
  const procedures = new Set<Procedure>();
  const known = { ids: new Set<string>(), classes: new Set<string>(), hrefs: new Set<string>() };
  const failed = new Map<string, Set<HTMLElement>>();
  const MAX_NAME = 300;
  const PROCEDURES_MS = 50;
  let elementsLeft = most.elements;
  let procedureRunsLeft = most.procedures;
  let isBegun = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const report = (facts: object) => tell(JSON.stringify({ url: location.href, origin: self.origin, ...facts }));

  /** Elements with such a name hide this property of the document; pages replace the list, and may lose ours. */
  const adopt = () => {
    if (sheet.cssRules.length === 0) return;
    const adopted = Reflect.get(Document.prototype, "adoptedStyleSheets", document) as CSSStyleSheet[];
    if (!adopted.includes(sheet)) adopted.push(sheet);
  };

  const learn = (elements: Iterable<Element>) => {
    const fresh = { ids: [] as string[], classes: [] as string[], hrefs: [] as string[] };
    const add = (kind: keyof typeof known, name: string | null) => {
      if (!name || name.length > MAX_NAME || known[kind].has(name)) return;
      known[kind].add(name);
      fresh[kind].push(name);
    };
    for (const element of elements) {
      if (elementsLeft-- <= 0) break;
      add("ids", element.getAttribute("id"));
      for (const name of element.getAttribute("class")?.split(/\s+/) ?? []) add("classes", name);
      if (element.localName === "a") add("hrefs", element.getAttribute("href"));
    }
    if (fresh.ids.length + fresh.classes.length + fresh.hrefs.length > 0) report(fresh);
  };

  const runProcedures = () => {
    clearTimeout(timer);
    timer = undefined;
    if (procedures.size === 0 || !document.documentElement || procedureRunsLeft-- <= 0) return;
    for (const procedure of procedures) {
      try {
        for (const element of find(procedure.find)) act(element, procedure);
      } catch {
        procedures.delete(procedure); // not understood
      }
    }
  };

  const act = (element: Element, { act, style }: Procedure) => {
    if (style !== undefined && element instanceof HTMLElement) {
      if (!element.style.cssText.includes(style.replace(/;$/, ""))) element.style.cssText += `;${style}`;
    }
    if (act?.type !== "pseudo-class") return;
    const { name, argument = "" } = act;
    if (name === "remove") element.remove();
    if (name === "remove-attr") element.removeAttribute(argument);
    if (name === "remove-class") element.classList.remove(argument);
  };

  const named = "[id], [class], a[href]";
  const begin = () => {
    if (!isBegun) report({ begun: true });
    isBegun = true;
  };

  const observer = new MutationObserver((records) => {
    begin();
    listen();
    adopt();
    const changed = new Set<Element>();
    for (const { type, target, addedNodes } of records) {
      if (type === "attributes" && target instanceof Element) changed.add(target);
      for (const node of addedNodes) {
        if (!(node instanceof Element) || changed.size > elementsLeft) continue;
        if (node.matches(named)) changed.add(node);
        for (const element of node.querySelectorAll(named)) changed.add(element);
      }
    }
    learn(changed);
    if (elementsLeft <= 0) observer.disconnect();
    if (procedures.size > 0) timer ??= setTimeout(runProcedures, PROCEDURES_MS);
  });

  /** Of pictures and the like that were blocked, an empty frame would be left. */
  const onError = ({ target }: Event) => {
    const isSeen =
      target instanceof HTMLImageElement ||
      target instanceof HTMLInputElement ||
      target instanceof HTMLObjectElement ||
      target instanceof HTMLEmbedElement ||
      target instanceof HTMLVideoElement;
    if (!isSeen) return;
    const source = target instanceof HTMLImageElement || target instanceof HTMLVideoElement ? target.currentSrc : "";
    const address = source || (target instanceof HTMLObjectElement ? target.data : target.src);
    const places = failed.get(address) ?? new Set();
    failed.set(address, places.add(target));
    report({ failed: [address] });
  };

  /** A document that is opened for writing forgets who listens to it; who listens already is not added again. */
  const listen = () => {
    window.addEventListener("error", onError, true);
    document.addEventListener("DOMContentLoaded", runProcedures);
    window.addEventListener("load", runProcedures);
  };

  const follow = ({ url, generic: isGeneric, except = [], rules = [], ...more }: Orders) => {
    if (url !== undefined && url !== location.href.split("#", 1)[0]) return;
    if (url !== undefined) isBegun = true;
    const general = isGeneric ? generic.filter((selector) => !except.includes(selector)) : [];
    const added = [...general.map((selector) => `${selector} { display: none !important; }`), ...rules];
    if (sheet.cssRules.length === 0) sheet.replaceSync(added.join("\n"));
    else {
      for (const rule of added) {
        try {
          sheet.insertRule(rule, sheet.cssRules.length);
        } catch {
          // Not understood.
        }
      }
    }
    adopt();
    for (const procedure of more.procedures ?? []) procedures.add(procedure);
    if (more.procedures?.length) runProcedures();
    for (const address of more.collapse ?? []) {
      for (const element of failed.get(address) ?? []) element.style.setProperty("display", "none", "important");
      failed.delete(address);
    }
  };

  Reflect.set(globalThis, names.order, follow);
  const observed = { attributes: true, attributeFilter: ["id", "class", "href"], childList: true, subtree: true };
  observer.observe(document, observed);
  listen();
  if (document.documentElement) begin(); // the empty page, which may be written
  learn(document.querySelectorAll(named));
}
