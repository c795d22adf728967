// Consent files of the layer: the content script and the reduced rules of autoconsent, which close known consent banners.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AutoConsentCMPRule, evalSnippets } from "@duckduckgo/autoconsent";
import type { ConsentData, ConsentRule } from "../../lib/engine/adblock/autoconsent-files.ts";
import { ownRules } from "./consent-rules.ts";
import { requirePackageFolder } from "./lists.ts";

/** Writes the unchanged content script, and the rules with the snippets that they run in the page's main world. */
export async function writeConsentFiles(folder: string): Promise<void> {
  const source = requirePackageFolder("@duckduckgo/autoconsent");
  const { autoconsent }: { autoconsent: AutoConsentCMPRule[] } = JSON.parse(
    await readFile(join(source, "rules/rules.json"), "utf8"),
  );
  const snippets = Object.entries(evalSnippets).map(([id, snippet]) => [id, `(${snippet})()`]);
  const data: ConsentData = {
    rules: [...ownRules, ...autoconsent].map(slim),
    snippets: Object.fromEntries(snippets),
  };
  await writeFile(join(folder, "consent.json"), JSON.stringify(data));
  await writeFile(join(folder, "consent.js"), await readFile(join(source, "dist/autoconsent.playwright.js")));
}

/** Removes descriptions and tests from a rule. */
function slim(rule: AutoConsentCMPRule): ConsentRule {
  const { name, cosmetic, intermediate, minimumRuleStepVersion, runContext, prehideSelectors } = rule;
  const { detectCmp, detectPopup, optOut, optIn } = rule;
  return {
    name,
    ...(cosmetic && { cosmetic }),
    ...(intermediate && { intermediate }),
    ...(minimumRuleStepVersion && { minimumRuleStepVersion }),
    ...(runContext && { runContext }),
    prehideSelectors: prehideSelectors ?? [],
    detectCmp,
    detectPopup,
    optOut,
    optIn,
  };
}
