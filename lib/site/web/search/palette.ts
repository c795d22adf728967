// The results of the search dialog: a list of links by kind that the keyboard walks through while the field keeps the focus.
import { createElement } from "../create-element.ts";
import { apiBaseUrl } from "../service-address.ts";
import { excerptOf, type Fragment, markMatches } from "./excerpt.ts";
import { recentQueries, rememberQuery } from "./recent-queries.ts";
import type { SearchDocument, SearchKind } from "./search-document.ts";
import { BEST_MATCHES, createSearch, type Results, type Search, type SearchHit } from "./search-engine.ts";
import type { SearchSource } from "./search-source.ts";

/** The parts of the dialog. */
export interface SearchElements {
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  readonly status: HTMLElement;
  readonly results: HTMLElement;
}

export interface Palette {
  /** Reads again what belongs to the account, and shows the results of what the field says. */
  readonly refresh: () => void;
}

const HINT = "Type a question, an option, or an error code.";
const NO_DOCUMENTATION =
  "The documentation couldn't be loaded. Check the connection, close this dialog, and open it again.";

const kindTitles: Readonly<Record<SearchKind, string>> = {
  screen: "Dashboard",
  key: "API keys",
  capture: "Captures",
  page: "Pages",
  guide: "Guides",
  client: "Clients and integrations",
  option: "Options",
  error: "Error codes",
  api: "API",
  reference: "Reference",
  changelog: "Changelog",
  operator: "Operation",
};

/** Queries that led to these may contain what only the account may see, so the browser doesn't keep them. */
const privateKinds: readonly SearchKind[] = ["key", "capture"];

/** Those of the account come before the documentation. */
const MAX_OF_ACCOUNT = 6;

/** What the dialog says of its results; not for all if only those who can't see them need it. */
interface Message {
  readonly text: string;
  readonly isForAll?: boolean;
}

interface Group {
  /** Empty for a group that the message introduces. */
  readonly title: string;
  readonly options: readonly HTMLElement[];
}

export function createPalette(elements: SearchElements, sources: readonly SearchSource[]): Palette {
  const { dialog, input, status, results } = elements;
  let documentation: Promise<Search> | undefined;
  let account: Promise<Search | undefined> = Promise.resolve(undefined);

  const show = (groups: readonly Group[], { text, isForAll = true }: Message) => {
    results.replaceChildren(...groups.filter(({ options }) => options.length > 0).map(groupElement));
    results.scrollTop = 0;
    results.hidden = results.childElementCount === 0;
    status.textContent = text;
    status.classList.toggle("visually-hidden", !isForAll);
    input.ariaExpanded = String(!results.hidden);
    activate(elements, optionsIn(results)[0]);
  };

  const update = async () => {
    const query = input.value;
    if (query.trim() === "") {
      const recent = recentQueries().map((each) => recentOption(each, () => fill(each)));
      show([{ title: "Recent searches", options: recent }], { text: HINT });
      return;
    }
    const isCurrent = () => query === input.value && dialog.open;
    const [ofAccount, documented] = await Promise.all([
      account.then((search) => search?.(query)),
      documentation?.then((search) => search(query)).catch(() => undefined),
    ]);
    if (!isCurrent()) return;
    const own = completeMatches(ofAccount);
    const offers = sources.flatMap((source) => source.offers(query)).map(wholeMatch);
    const hasMatch = own.length > 0 || documented?.isMatch === true;
    if (hasMatch) show(...present(query, { own, documented, offers }));
    else show([], { text: "Searching …" }); // nothing is nearest before all have answered
    const lookedUp = (await Promise.all(sources.map((source) => source.lookUp(query).catch(() => [])))).flat();
    if (!isCurrent() || (hasMatch && lookedUp.length === 0)) return;
    show(...present(query, { own: [...lookedUp.map(wholeMatch), ...own], documented, offers }));
  };

  const fill = (query: string) => {
    input.value = query;
    input.focus();
    void update();
  };

  input.addEventListener("input", () => void update());
  dialog.addEventListener("keydown", (event) => moveByKey(event, elements));
  results.addEventListener("pointermove", ({ target }) => {
    const option = target instanceof Element && target.closest<HTMLElement>("[role=option]");
    if (option) activate(elements, option);
  });
  results.addEventListener("click", ({ target }) => {
    const link = target instanceof Element && target.closest("a");
    if (!link) return;
    if (!privateKinds.some((kind) => kind === link.dataset["kind"])) rememberQuery(link.dataset["query"] ?? "");
    dialog.close();
  });

  return {
    refresh: () => {
      documentation ??= loadDocumentation();
      documentation.catch(() => {
        documentation = undefined; // the next time, it is loaded again
      });
      account = loadAccount(sources);
      void update();
    },
  };
}

async function loadDocumentation(): Promise<Search> {
  const response = await fetch(`${apiBaseUrl}/docs/search.json`);
  if (!response.ok) throw new Error(`The documents of the search have status ${response.status}.`);
  return createSearch((await response.json()) as SearchDocument[]);
}

async function loadAccount(sources: readonly SearchSource[]): Promise<Search | undefined> {
  const documents = await Promise.all(sources.map((source) => source.documents().catch(() => [])));
  return documents.flat().length === 0 ? undefined : createSearch(documents.flat());
}

/** What is the account's is shown only if it has the whole query: the documentation answers questions. */
function completeMatches(results: Results | undefined): SearchHit[] {
  return results?.isMatch ? results.found.filter(({ isComplete }) => isComplete).slice(0, MAX_OF_ACCOUNT) : [];
}

const wholeMatch = (document: SearchDocument): SearchHit => ({ document, terms: [], isComplete: true });

interface AllResults {
  /** Of the account, which come first. */
  readonly own: readonly SearchHit[];
  /** Of the documentation; undefined if that couldn't be loaded. */
  readonly documented: Results | undefined;
  /** Come last, unless the documentation has no result for the whole query. */
  readonly offers: readonly SearchHit[];
}

/** The groups of the results, and what the dialog says of them. */
function present(query: string, { own, documented, offers }: AllResults): [readonly Group[], Message] {
  const isMatch = documented?.isMatch === true;
  const isNearest = !isMatch && own.length === 0 && offers.length === 0;
  const further = isMatch || isNearest ? (documented?.found ?? []) : [];
  const answers = isMatch ? bestThenByKind(further) : [{ title: "", found: further }];
  const isAnswered = further.some(({ isComplete }) => isComplete);
  const ordered = isAnswered ? [...answers, ...byKind(offers)] : [...byKind(offers), ...answers];
  const groups = [...byKind(own), ...ordered].map(({ title, found }) => ({
    title,
    options: found.map((each) => resultOption(each, query)),
  }));
  if (!documented) return [groups, { text: NO_DOCUMENTATION }];
  if (isNearest) return [groups, { text: "Nothing matches exactly. Nearest:" }];
  const count = own.length + further.length + offers.length;
  return [groups, { text: `${count} ${count === 1 ? "result" : "results"}`, isForAll: false }];
}

interface FoundGroup {
  readonly title: string;
  readonly found: readonly SearchHit[];
}

function byKind(found: readonly SearchHit[]): FoundGroup[] {
  const groups = Map.groupBy(found, ({ document }) => document.kind);
  return [...groups].map(([kind, ofKind]) => ({ title: kindTitles[kind], found: ofKind }));
}

/** A few results need no second order. */
function bestThenByKind(found: readonly SearchHit[]): FoundGroup[] {
  if (found.length <= BEST_MATCHES) return byKind(found);
  return [{ title: "Best matches", found: found.slice(0, BEST_MATCHES) }, ...byKind(found.slice(BEST_MATCHES))];
}

const optionsIn = (results: HTMLElement) => [...results.querySelectorAll<HTMLElement>("[role=option]")];

/** The option that Enter chooses. */
function activate({ input, results }: SearchElements, option: HTMLElement | undefined): void {
  for (const [place, each] of optionsIn(results).entries()) {
    each.id = `search-result-${place}`;
    each.ariaSelected = String(each === option);
  }
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
}

function moveByKey(event: KeyboardEvent, elements: SearchElements): void {
  const { input, results } = elements;
  if (event.isComposing || event.target !== input) return;
  const options = optionsIn(results);
  const place = options.findIndex(({ ariaSelected }) => ariaSelected === "true");
  const last = options.length - 1;
  const places: Readonly<Record<string, number>> = {
    ArrowDown: place === last ? 0 : place + 1,
    ArrowUp: place <= 0 ? last : place - 1,
    Home: 0,
    End: last,
  };
  const next = event.shiftKey ? undefined : options[places[event.key] ?? -1];
  if (next) {
    event.preventDefault();
    activate(elements, next);
    next.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter") {
    event.preventDefault();
    const { ctrlKey, metaKey, shiftKey } = event;
    options[place]?.dispatchEvent(
      new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    );
  }
}

function groupElement({ title, options }: Group, place: number): HTMLElement {
  if (title === "") return createElement("div", { role: "group", ariaLabel: "Nearest" }, ...options);
  const id = `search-group-${place}`;
  const heading = createElement("div", { id, className: "search-group", role: "presentation" }, title);
  const group = createElement("div", { role: "group" }, heading, ...options);
  group.setAttribute("aria-labelledby", id);
  return group;
}

/** Texts of the account and of captured pages become text nodes alone. */
function resultOption({ document, terms }: SearchHit, query: string): HTMLElement {
  const { kind, path, page, title } = document;
  const isName = kind === "option" || kind === "error";
  const heading = createElement(
    "span",
    { className: "search-title" },
    ...markMatches(title || page, terms, isName).map(fragmentNode),
    ...(title === "" ? [] : [createElement("span", { className: "search-page" }, page)]),
  );
  const excerpt = createElement(
    "span",
    { className: "search-excerpt" },
    ...excerptOf(document, terms).map(fragmentNode),
  );
  const option = createElement("a", { role: "option", href: `${apiBaseUrl}${path}`, tabIndex: -1 }, heading, excerpt);
  Object.assign(option.dataset, { kind, query });
  return option;
}

function fragmentNode({ text, isCode, isMatch }: Fragment): Node {
  const inner = isMatch ? createElement("mark", {}, text) : document.createTextNode(text);
  return isCode ? createElement("code", {}, inner) : inner;
}

function recentOption(query: string, choose: () => void): HTMLElement {
  const option = createElement("div", { role: "option", className: "search-recent" }, query);
  option.addEventListener("click", choose);
  return option;
}
