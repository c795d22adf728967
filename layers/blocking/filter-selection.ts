// Selects the filters of a list that are used.
import type { CosmeticFilter, NetworkFilter } from "@ghostery/adblocker";
import type { Scope } from "./lists.ts";

interface Filters {
  readonly networkFilters: readonly NetworkFilter[];
  readonly cosmeticFilters: readonly CosmeticFilter[];
}

/** The filters of a list within a scope. Exceptions are always used. */
export function limitToScope(scope: Scope, { networkFilters, cosmeticFilters }: Filters): Filters {
  if (scope === "everything") return { networkFilters, cosmeticFilters };
  const isUsed = (rule: CosmeticFilter) => (scope === "names" && isOneName(rule.getSelector())) || namesSite(rule);
  return {
    networkFilters: scope === "names" ? networkFilters : networkFilters.filter(namesSiteOrHost),
    cosmeticFilters: cosmeticFilters.filter(isUsed),
  };
}

const isOneName = (selector: string) => /^[#.][\w-]+$/.test(selector);

const namesSite = (rule: CosmeticFilter) => !rule.isGenericHide() || rule.isUnhide();

const namesSiteOrHost = (rule: NetworkFilter) =>
  rule.hasHostname() || rule.domains !== undefined || rule.isException() || rule.isBadFilter();

/** False for a filter that changes URLs or responses, which blocks nothing. */
export const isBlockingFilter = (rule: NetworkFilter) => !rule.isRemoveParam() && !rule.isHtmlFilteringRule();

/** False for conditions beyond CSS that the engine takes for a CSS selector, because it counts their brackets wrong. */
export const hasSupportedSelector = (rule: CosmeticFilter) => rule.isExtended() || !BEYOND_CSS.test(rule.getSelector());

const BEYOND_CSS = /:(has-text|matches-|upward|xpath|remove)[\w-]*\(/;
