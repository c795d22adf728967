// The cosmetic rules of filter lists for a document: style rules, and procedural filters beyond CSS.
import type { CosmeticFilter, FiltersEngine, Request } from "@ghostery/adblocker";
import type { Procedure } from "../injected/cosmetic-filtering.ts";

export interface Cosmetics {
  /** One style rule each, so that one that Chromium does not support does not invalidate others. */
  readonly rules: readonly string[];
  readonly procedures: readonly Procedure[];
}

/** The rules for a document by its URL alone. */
export interface DocumentCosmetics extends Cosmetics {
  /** False when an exception rule disables generic rules. */
  readonly generic: boolean;
  /** Selectors of `genericSelectors` that exception rules disable. */
  readonly except: readonly string[];
}

/** The ids, classes and links of a document's elements. */
export interface ElementNames {
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  readonly hrefs: readonly string[];
}

/** Generic selectors that do not depend on ids, classes and links: hidden in every document. */
export function genericSelectors(engines: readonly FiltersEngine[]): readonly string[] {
  return engines.flatMap((engine) => {
    const known = genericsByEngine.get(engine) ?? baseSelectors(engine);
    genericsByEngine.set(engine, known);
    return known;
  });
}

/** The rules for the document of `page`, regardless of its elements. Exceptions in one list hold for the others, too. */
export function cosmeticRulesFor(engines: readonly FiltersEngine[], page: Request): DocumentCosmetics {
  const { generic, specific } = enabledRules(engines, page);
  const disabled = disabledFilters(engines, page);
  const filters = engines.flatMap((engine) => {
    const found = engine.cosmetics.getCosmeticsFilters({
      ...readHost(page),
      ...NO_NAMES,
      allowGenericHides: generic,
      allowSpecificHides: specific,
      getRulesFromDOM: false,
    });
    return found.filters;
  });
  const except = generic ? genericSelectors(engines).filter((selector) => disabled.has(selector)) : [];
  return { generic, except, ...toCosmetics(filters, disabled) };
}

/** Further rules for the ids, classes and links of elements. */
export function cosmeticRulesForNames(
  engines: readonly FiltersEngine[],
  page: Request,
  names: ElementNames,
): Cosmetics {
  const { generic } = enabledRules(engines, page);
  if (!generic) return { rules: [], procedures: [] };
  const filters = engines.flatMap((engine) => {
    const found = engine.cosmetics.getCosmeticsFilters({
      ...readHost(page),
      ids: [...names.ids],
      classes: [...names.classes],
      hrefs: [...names.hrefs],
      allowGenericHides: true,
      allowSpecificHides: true,
      getRulesFromHostname: false,
    });
    return found.filters;
  });
  return toCosmetics(filters, filters.length > 0 ? disabledFilters(engines, page) : new Set());
}

const HIDDEN = "display: none !important;";
const NO_NAMES = { ids: [], classes: [], hrefs: [] };

const genericsByEngine = new WeakMap<FiltersEngine, readonly string[]>();

/** The engine returns them as one style rule, which a single unsupported selector would invalidate. */
function baseSelectors(engine: FiltersEngine): readonly string[] {
  const requested = { url: "", hostname: "", domain: "", ...NO_NAMES, hidingStyle: HIDDEN };
  const { styles } = engine.getCosmeticsFilters({ ...requested, getRulesFromHostname: false, getRulesFromDOM: false });
  return styles
    .replaceAll(` { ${HIDDEN} }`, ",")
    .split(",\n")
    .map((selector) => selector.replace(/,$/, "").trim())
    .filter((selector) => selector !== "");
}

/** Whether exception rules for a page leave generic and specific rules enabled. */
function enabledRules(engines: readonly FiltersEngine[], page: Request): { generic: boolean; specific: boolean } {
  const requested = { url: page.url, ...readHost(page), ...NO_NAMES, ancestors: [], callerContext: undefined };
  const without = { getRulesFromDOM: false, getRulesFromHostname: false, getInjectionRules: false };
  const answers = engines.map((engine) =>
    engine.matchCosmeticFilters({ ...requested, ...without, getExtendedRules: false }),
  );
  const exceptions = answers.flatMap(({ matches }) => matches.map(({ exception }) => exception));
  return {
    generic: answers.every(({ allowGenericHides }) => allowGenericHides),
    specific: !exceptions.some((exception) => exception && "isSpecificHide" in exception && exception.isSpecificHide()),
  };
}

/** The `filterKey`s of filters that exception rules disable for a page. */
function disabledFilters(engines: readonly FiltersEngine[], page: Request): ReadonlySet<string> {
  const { hostname, domain } = readHost(page);
  const tokens = Uint32Array.from([...page.getHostnameHashes(), ...page.getEntityHashes()]);
  const disabled = new Set<string>();
  for (const engine of engines) {
    engine.cosmetics.unhideIndex.iterMatchingFilters(tokens, (filter) => {
      if (filter.match(hostname, domain)) disabled.add(filterKey(filter));
      return true;
    });
  }
  return disabled;
}

function toCosmetics(filters: readonly CosmeticFilter[], disabled: ReadonlySet<string>): Cosmetics {
  const rules: string[] = [];
  const procedures: Procedure[] = [];
  for (const filter of filters) {
    // Scriptlets of lists run in the page's main world; a picture does not need them.
    if (filter.isScriptInject() || disabled.has(filterKey(filter))) continue;
    const style = filter.getStyle(HIDDEN);
    if (!filter.isExtended()) {
      rules.push(`${filter.getSelector()} { ${style} }`);
      continue;
    }
    const parts = filter.getASTComponents();
    if (parts) procedures.push({ find: parts.element, ...(parts.directive ? { action: parts.directive } : { style }) });
  }
  return { rules, procedures };
}

function filterKey(filter: CosmeticFilter): string {
  return filter.getSelector() + (filter.style ?? "");
}

function readHost({ hostname, domain }: Request): { hostname: string; domain: string } {
  return { hostname, domain };
}
