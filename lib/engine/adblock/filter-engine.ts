// The filter engine's package: the only module that imports it, so that it is loaded on demand and bundled in part.
import { FiltersEngine, NetworkFilter, Request } from "@ghostery/adblocker";
import { matchedPart } from "./matched-part.ts";
import { WildcardExpression } from "./wildcard-expression.ts";

const { getRegex } = NetworkFilter.prototype;

/** The package would make expressions for wildcards with which a page can keep this process busy, see `WildcardExpression`. */
NetworkFilter.prototype.getRegex = function (this: NetworkFilter) {
  if (this.regex || this.isFullRegex() || !this.filter?.includes("*")) return getRegex.call(this);
  const expression = new WildcardExpression({
    pattern: this.filter,
    startsAtBeginning: this.isLeftAnchor(),
    endsAtEnd: this.isRightAnchor(),
    isCaseSensitive: this.isCaseSensitive === true,
  });
  this.regex = expression as unknown as RegExp; // the engine only calls `test`
  return this.regex;
};

/** Throws for an engine that another version of the package has serialized. */
export function deserializeEngine(serialized: Uint8Array): FiltersEngine {
  return FiltersEngine.deserialize(serialized);
}

/** A request, or the URL of a page, as engines match it. Only the beginning of a long URL is matched. */
export const toFilterRequest: typeof Request.fromRawDetails = ({ url, sourceUrl, ...details }) =>
  Request.fromRawDetails({
    ...details,
    ...(url !== undefined && { url: matchedPart(url) }),
    ...(sourceUrl !== undefined && { sourceUrl: matchedPart(sourceUrl) }),
  });
