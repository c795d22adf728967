// What filter lists hide in a document: style rules, and what has to be looked for because no selector finds it.
import type { CosmeticFilter, FiltersEngine, Request } from "@ghostery/adblocker";
import type { Procedure } from "../injected/cosmetics.ts";

export interface Cosmetics {
  /** Style rules, each on its own: one that Chromium does not understand spoils no other. */
  readonly rules: readonly string[];
  readonly procedures: readonly Procedure[];
}

/** Of a document, before anything of it is known but its address. */
export interface DocumentCosmetics extends Cosmetics {
  /** False where a list wants none of the rules that are for all pages. */
  readonly generic: boolean;
  /** Selectors of `genericSelectors` that do not hold here. */
  readonly except: readonly string[];
}

/** What elements of a document are called. */
export interface ElementNames {
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  readonly hrefs: readonly string[];
}

/** Selectors of what is hidden in every document, apart from those that go by the names of its elements. */
export function genericSelectors(engines: readonly FiltersEngine[]): readonly string[] {
  return engines.flatMap((engine) => {
    const known = generics.get(engine) ?? baseSelectors(engine);
    generics.set(engine, known);
    return known;
  });
}

/** Of the document at `page`'s address, whatever its elements. Exceptions in one list hold for the others, too. */
export function cosmeticRulesFor(engines: readonly FiltersEngine[], page: Request): DocumentCosmetics {
  const { generic, specific } = hiding(engines, page);
  const unhidden = unhiddenIn(engines, page);
  const filters = engines.flatMap((engine) => {
    const found = engine.cosmetics.getCosmeticsFilters({
      ...placeOf(page),
      ...NO_NAMES,
      allowGenericHides: generic,
      allowSpecificHides: specific,
      getRulesFromDOM: false,
    });
    return found.filters;
  });
  const except = generic ? genericSelectors(engines).filter((selector) => unhidden.has(selector)) : [];
  return { generic, except, ...asCosmetics(filters, unhidden) };
}

/** What else is hidden, now that elements of a document are known by name. */
export function cosmeticRulesForNames(
  engines: readonly FiltersEngine[],
  page: Request,
  names: ElementNames,
): Cosmetics {
  const { generic } = hiding(engines, page);
  if (!generic) return { rules: [], procedures: [] };
  const filters = engines.flatMap((engine) => {
    const found = engine.cosmetics.getCosmeticsFilters({
      ...placeOf(page),
      ids: [...names.ids],
      classes: [...names.classes],
      hrefs: [...names.hrefs],
      allowGenericHides: true,
      allowSpecificHides: true,
      getRulesFromHostname: false,
    });
    return found.filters;
  });
  return asCosmetics(filters, filters.length > 0 ? unhiddenIn(engines, page) : new Set());
}

const HIDDEN = "display: none !important;";
const NO_NAMES = { ids: [], classes: [], hrefs: [] };

const generics = new WeakMap<FiltersEngine, readonly string[]>();

/** The engine hands them out as a style sheet, in which one bad selector would spoil the thousand beside it. */
function baseSelectors(engine: FiltersEngine): readonly string[] {
  const asked = { url: "", hostname: "", domain: "", ...NO_NAMES, hidingStyle: HIDDEN };
  const { styles } = engine.getCosmeticsFilters({ ...asked, getRulesFromHostname: false, getRulesFromDOM: false });
  return styles
    .replaceAll(` { ${HIDDEN} }`, ",")
    .split(",\n")
    .map((selector) => selector.replace(/,$/, "").trim())
    .filter((selector) => selector !== "");
}

/** Which hiding is left when lists have said what they do not want hidden on a page. */
function hiding(engines: readonly FiltersEngine[], page: Request): { generic: boolean; specific: boolean } {
  const asked = { url: page.url, ...placeOf(page), ...NO_NAMES, ancestors: [], callerContext: undefined };
  const without = { getRulesFromDOM: false, getRulesFromHostname: false, getInjectionRules: false };
  const answers = engines.map((engine) =>
    engine.matchCosmeticFilters({ ...asked, ...without, getExtendedRules: false }),
  );
  const exceptions = answers.flatMap(({ matches }) => matches.map(({ exception }) => exception));
  return {
    generic: answers.every(({ allowGenericHides }) => allowGenericHides),
    specific: !exceptions.some((exception) => exception && "isSpecificHide" in exception && exception.isSpecificHide()),
  };
}

/** What lists do not want hidden on a page, as `keyOf` names it. */
function unhiddenIn(engines: readonly FiltersEngine[], page: Request): ReadonlySet<string> {
  const { hostname, domain } = placeOf(page);
  const tokens = Uint32Array.from([...page.getHostnameHashes(), ...page.getEntityHashes()]);
  const unhidden = new Set<string>();
  for (const engine of engines) {
    engine.cosmetics.unhideIndex.iterMatchingFilters(tokens, (filter) => {
      if (filter.match(hostname, domain)) unhidden.add(keyOf(filter));
      return true;
    });
  }
  return unhidden;
}

function asCosmetics(filters: readonly CosmeticFilter[], unhidden: ReadonlySet<string>): Cosmetics {
  const rules: string[] = [];
  const procedures: Procedure[] = [];
  for (const filter of filters) {
    // Scripts that lists would have run among the page's own are for watching, not for looking.
    if (filter.isScriptInject() || unhidden.has(keyOf(filter))) continue;
    const style = filter.getStyle(HIDDEN);
    if (!filter.isExtended()) {
      rules.push(`${filter.getSelector()} { ${style} }`);
      continue;
    }
    const parts = filter.getASTComponents();
    if (parts) procedures.push({ find: parts.element, ...(parts.directive ? { act: parts.directive } : { style }) });
  }
  return { rules, procedures };
}

function keyOf(filter: CosmeticFilter): string {
  return filter.getSelector() + (filter.style ?? "");
}

function placeOf({ hostname, domain }: Request): { hostname: string; domain: string } {
  return { hostname, domain };
}
