// Patterns of filter lists: what they match, and how long they take for a URL that is made for them.
import { FiltersEngine } from "@ghostery/adblocker";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toFilterRequest } from "../../../lib/engine/adblock/filter-engine.ts";
import { WildcardExpression, type WildcardPattern } from "../../../lib/engine/adblock/wildcard-expression.ts";
import { runInterruptible } from "../../../lib/engine/inputs/run-interruptible.ts";
import { IS_SLOW_RUN } from "../../support/slow-run.ts";

/** The regular expression of @ghostery/adblocker 2.18. */
function packageExpression({ pattern, startsAtBeginning, endsAtEnd, isCaseSensitive }: WildcardPattern): RegExp {
  const source = pattern
    .replace(/([|.$+?{}()[\]\\])/g, "\\$1")
    .replace(/\*/g, ".*")
    .replace(/\^/g, "(?:[^\\w\\d_.%-]|$)");
  return new RegExp((startsAtBeginning ? "^" : "") + source + (endsAtEnd ? "$" : ""), isCaseSensitive ? "" : "i");
}

test("wildcard expression: matches what the package's expression matches", () => {
  const text = fc.stringMatching(/^[abA./?%:-]{0,12}$/);
  const pattern = fc.record({
    pattern: fc.stringMatching(/^[abA./*^*?]{0,8}$/).filter((each) => each.includes("*")),
    startsAtBeginning: fc.boolean(),
    endsAtEnd: fc.boolean(),
    isCaseSensitive: fc.boolean(),
  });
  fc.assert(
    fc.property(pattern, text, (sent, url) => {
      expect(new WildcardExpression(sent).test(url)).toBe(packageExpression(sent).test(url));
    }),
    { numRuns: IS_SLOW_RUN ? 20_000 : 3_000 },
  );
});

test.each([
  ["://*.*.biz/xj/$important", "://".repeat(2_000)],
  ["://m.*.cn/*/*.js?ssid=_", "://m.".repeat(1_000)],
  ["/a*a*a*a*a*a*a*b^", "/a".repeat(2_000)],
  ["||ads.test/*a*a*a*a*b", "a".repeat(4_000)],
])("filter lists: %s takes no longer for a URL that repeats a part of it", (rule, path) => {
  const engine = FiltersEngine.parse(rule);
  const request = toFilterRequest({ url: `https://ads.test/${path}`, type: "image" });
  const work = () => [...engine.filters.matchAll(request), engine.match(request).match];
  expect(runInterruptible(1_000, work)).toEqual([false]);
});

test("filter lists: patterns of one kind are not joined to an expression that takes longer", () => {
  const rules = ["a*b*c1$image", "a*b*c2$image", "a*b*c3$image"].join("\n");
  const engine = FiltersEngine.parse(rules, { enableOptimizations: false });
  const request = toFilterRequest({ url: `https://x.test/${"ab".repeat(2_000)}c3`, type: "image" });
  expect(runInterruptible(1_000, () => engine.match(request).match)).toBe(true);
});
