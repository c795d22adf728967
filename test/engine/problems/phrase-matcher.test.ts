// Phrases in texts: whole words, in any script, with gaps.
import { describe, expect, test } from "vitest";
import { normalizeText } from "../../../lib/engine/injected/overlays/normalize-text.ts";
import { PhraseMatcher } from "../../../lib/engine/injected/text/phrase-matcher.ts";

const matcher = (...phrases: string[]) => new PhraseMatcher(phrases.map(normalizeText));

describe("a phrase", () => {
  test.each([
    ["page not found", "Oops! Page not found.", true],
    ["page not found", "Page was not found", false],
    ["found", "He is the founder", false],
    ["page you ** looking for", "The page you were looking for is gone", true],
    ["page you ** looking for", "The page you said, for reasons of your own, that you are looking for", false],
    ["verkauf*", "Diese Domain wird verkauft", true],
    ["gesperrt", "Ihr Konto wurde „gesperrt“", true],
    ["page ete trouvee", "La page été trouvée", true],
    ["見つかりません", "お探しのページは見つかりませんでした", true],
    ["غير موجودة", "الصفحة غير موجودة", true],
    ["صفحة", "وفي الصفحة", true],
    ["back to **", "Back to", true],
  ])("%s in “%s”: %s", (phrase, text, isFound) => {
    expect(matcher(phrase).has(text)).toBe(isFound);
  });

  test("of several words is clearer than one of a single word", () => {
    const both = matcher("error", "an error occurred", "エラー", "エラーが発生しました");
    expect(
      ["no", "Error!", "An error occurred", "エラー", "エラーが発生しました"].map((text) => both.strength(text)),
    ).toEqual([0, 1, 2, 1, 2]);
  });

  test("is a notice where the text begins with it, or ends with several words of it", () => {
    const loading = matcher("loading", "please wait");
    expect(
      ["Loading your data", "One second, please wait", "The loading dock", "Unloading"].map((text) =>
        loading.isNotice(text),
      ),
    ).toEqual([true, true, false, false]);
  });
});
