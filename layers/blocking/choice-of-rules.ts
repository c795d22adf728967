// Which rules of a list are taken.
import type { CosmeticFilter, NetworkFilter } from "@ghostery/adblocker";
import type { Reach } from "./lists.ts";

interface Rules {
  readonly networkFilters: readonly NetworkFilter[];
  readonly cosmeticFilters: readonly CosmeticFilter[];
}

/** The rules of a list of which so much is taken. Exceptions are taken always. */
export function withinReach(reach: Reach, { networkFilters, cosmeticFilters }: Rules): Rules {
  if (reach === "everything") return { networkFilters, cosmeticFilters };
  const isTaken = (rule: CosmeticFilter) => (reach === "names" && isOneName(rule.getSelector())) || namesSite(rule);
  return {
    networkFilters: reach === "names" ? networkFilters : networkFilters.filter(namesSiteOrHost),
    cosmeticFilters: cosmeticFilters.filter(isTaken),
  };
}

const isOneName = (selector: string) => /^[#.][\w-]+$/.test(selector);

const namesSite = (rule: CosmeticFilter) => !rule.isGenericHide() || rule.isUnhide();

const namesSiteOrHost = (rule: NetworkFilter) =>
  rule.hasHostname() || rule.domains !== undefined || rule.isException() || rule.isBadFilter();

/** Not a rule that changes addresses or answers, which keeps nothing out of a page. */
export const keepsOut = (rule: NetworkFilter) => !rule.isRemoveParam() && !rule.isHtmlFilteringRule();

/** Conditions beyond CSS can hide in what the engine takes for a selector, by brackets that it does not count right. */
export const isUnderstood = (rule: CosmeticFilter) => rule.isExtended() || !BEYOND_CSS.test(rule.getSelector());

const BEYOND_CSS = /:(has-text|matches-|upward|xpath|remove)[\w-]*\(/;
