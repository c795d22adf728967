/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Cosmetic filtering in one document: hides what filter lists name, and reports ids and classes as elements appear. Runs
// in an isolated world of each document.
import { readProperty } from "./dom/read-property.ts";
import { findByProcedure, type Selector } from "./procedural-selectors.ts";

/** A procedural filter: an action on the elements that a selector finds, or a style for them. */
export interface Procedure {
  readonly find: Selector;
  readonly action?: Selector;
  readonly style?: string;
}

/** A report of a document. Each id, class and link is reported once. */
export interface DocumentReport {
  /** URL of the document, and the origin it inherits its rights from. */
  readonly url: string;
  readonly origin: string;
  /** True in the first report, unless the document's rules were there before. */
  readonly started?: true;
  readonly ids?: readonly string[];
  readonly classes?: readonly string[];
  readonly hrefs?: readonly string[];
  /** URLs of images and other media that failed to load. */
  readonly failed?: readonly string[];
}

/** Rules for a document. */
export interface DocumentRules {
  /** URL of the only document they are for; by default the one that receives them. */
  readonly url?: string;
  /** True to hide what the generic selectors match, except those of `except`. */
  readonly generic?: boolean;
  readonly except?: readonly string[];
  readonly rules?: readonly string[];
  readonly procedures?: readonly Procedure[];
  /** URLs of blocked media, whose elements are collapsed. */
  readonly collapse?: readonly string[];
}

export interface FilteringSettings {
  /** Names of the binding that takes reports as JSON, and of the global function that takes `DocumentRules`. */
  readonly names: { readonly report: string; readonly apply: string };
  readonly generic: readonly string[];
  /** Limits for a page that creates elements forever: elements that are looked at, and runs of the procedures. */
  readonly limits: { readonly elements: number; readonly procedures: number };
}

const MAX_NAME_CHARACTERS = 300;
const PROCEDURES_DELAY_MS = 50;

/**
 * Starts before the document has any content. The style sheet is a constructed one: no content security policy forbids
 * it, and the page's elements stay as they are. Names are reported in the microtask after their elements were added, so
 * that their rules are on the way before a picture can be taken.
 */
export function filterDocument({ names, generic, limits }: FilteringSettings): void {
  const send = Reflect.get(globalThis, names.report) as (report: string) => void;
  const sheet = new CSSStyleSheet();
  const procedures = new Set<Procedure>();
  const known = { ids: new Set<string>(), classes: new Set<string>(), hrefs: new Set<string>() };
  const failed = new Map<string, Set<HTMLElement>>();
  let elementsLeft = limits.elements;
  let procedureRunsLeft = limits.procedures;
  let hasStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const report = (facts: Omit<DocumentReport, "url" | "origin">) =>
    send(JSON.stringify({ url: location.href, origin: self.origin, ...facts } satisfies DocumentReport));

  /** Elements with such a name hide this property of the document. Pages replace the list, which removes our sheet. */
  const adopt = () => {
    if (sheet.cssRules.length === 0) return;
    const adopted = readProperty(Document.prototype, "adoptedStyleSheets", document);
    if (!adopted.includes(sheet)) adopted.push(sheet);
  };

  const reportNames = (elements: Iterable<Element>) => {
    const added = { ids: [] as string[], classes: [] as string[], hrefs: [] as string[] };
    const add = (kind: keyof typeof known, name: string | null) => {
      if (!name || name.length > MAX_NAME_CHARACTERS || known[kind].has(name)) return;
      known[kind].add(name);
      added[kind].push(name);
    };
    for (const element of elements) {
      if (elementsLeft-- <= 0) break;
      add("ids", element.getAttribute("id"));
      for (const name of element.getAttribute("class")?.split(/\s+/) ?? []) add("classes", name);
      if (element.localName === "a") add("hrefs", element.getAttribute("href"));
    }
    if (added.ids.length + added.classes.length + added.hrefs.length > 0) report(added);
  };

  const runProcedures = () => {
    clearTimeout(timer);
    timer = undefined;
    if (procedures.size === 0 || !document.documentElement || procedureRunsLeft-- <= 0) return;
    for (const procedure of procedures) {
      try {
        for (const element of findByProcedure(procedure.find)) runProcedure(element, procedure);
      } catch {
        procedures.delete(procedure); // Chromium does not support it
      }
    }
  };

  const runProcedure = (element: Element, { action, style }: Procedure) => {
    if (style !== undefined && element instanceof HTMLElement) {
      if (!element.style.cssText.includes(style.replace(/;$/, ""))) element.style.cssText += `;${style}`;
    }
    if (action?.type !== "pseudo-class") return;
    const { name, argument = "" } = action;
    if (name === "remove") element.remove();
    if (name === "remove-attr") element.removeAttribute(argument);
    if (name === "remove-class") element.classList.remove(argument);
  };

  const named = "[id], [class], a[href]";
  const start = () => {
    if (!hasStarted) report({ started: true });
    hasStarted = true;
  };

  const observer = new MutationObserver((records) => {
    start();
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
    reportNames(changed);
    if (elementsLeft <= 0) observer.disconnect();
    if (procedures.size > 0) timer ??= setTimeout(runProcedures, PROCEDURES_DELAY_MS);
  });

  /** An element whose source was blocked would leave an empty box. */
  const onError = ({ target }: Event) => {
    const isMedia =
      target instanceof HTMLImageElement ||
      target instanceof HTMLInputElement ||
      target instanceof HTMLObjectElement ||
      target instanceof HTMLEmbedElement ||
      target instanceof HTMLVideoElement;
    if (!isMedia) return;
    const source = target instanceof HTMLImageElement || target instanceof HTMLVideoElement ? target.currentSrc : "";
    const address = source || (target instanceof HTMLObjectElement ? target.data : target.src);
    const elements = failed.get(address) ?? new Set();
    failed.set(address, elements.add(target));
    report({ failed: [address] });
  };

  /** `document.open` removes the listeners; those that are still there are not added twice. */
  const listen = () => {
    window.addEventListener("error", onError, true);
    document.addEventListener("DOMContentLoaded", runProcedures);
    window.addEventListener("load", runProcedures);
  };

  const apply = ({ url, generic: isGeneric, except = [], rules = [], ...more }: DocumentRules) => {
    if (url !== undefined && url !== location.href.split("#", 1)[0]) return;
    if (url !== undefined) hasStarted = true;
    const selectors = isGeneric ? generic.filter((selector) => !except.includes(selector)) : [];
    const added = [...selectors.map((selector) => `${selector} { display: none !important; }`), ...rules];
    if (sheet.cssRules.length === 0) sheet.replaceSync(added.join("\n"));
    else {
      for (const rule of added) {
        try {
          sheet.insertRule(rule, sheet.cssRules.length);
        } catch {
          // Chromium does not support it.
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

  Reflect.set(globalThis, names.apply, apply);
  const observed = { attributes: true, attributeFilter: ["id", "class", "href"], childList: true, subtree: true };
  observer.observe(document, observed);
  listen();
  if (document.documentElement) start(); // the empty page, which may be written
  reportNames(document.querySelectorAll(named));
}
