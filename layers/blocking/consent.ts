// Consent files of the layer: the content script and the reduced rules of autoconsent, which close known consent banners.
import { execFile } from "node:child_process";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { AutoConsentCMPRule } from "@duckduckgo/autoconsent";
import type { ConsentData, ConsentRule } from "../../lib/engine/adblock/autoconsent-files.ts";
import { ownRules } from "./consent-rules.ts";

const RULES = "rules/rules.json";
const CONTENT_SCRIPT = "dist/autoconsent.playwright.js";
const MODULE = "dist/autoconsent.esm.js";

/** The files of the package that are read, relative to its folder. */
export const consentPackageFiles: readonly string[] = [RULES, CONTENT_SCRIPT, MODULE];

/** Writes the unchanged content script, and the rules with the snippets that they run in the page's main world. */
export async function writeConsentFiles(folder: string, content: string): Promise<void> {
  const { autoconsent }: { autoconsent: AutoConsentCMPRule[] } = JSON.parse(
    await readFile(join(content, RULES), "utf8"),
  );
  const data: ConsentData = { rules: [...ownRules, ...autoconsent].map(slim), snippets: await readSnippets(content) };
  await writeFile(join(folder, "consent.json"), JSON.stringify(data));
  await writeFile(join(folder, "consent.js"), await readFile(join(content, CONTENT_SCRIPT)));
}

/**
 * The snippets are functions that a module exports. The module runs in a process that has no environment, reads only its package, and
 * writes nothing, because an update installs it without a review.
 */
async function readSnippets(content: string): Promise<Record<string, string>> {
  const folder = await realpath(content); // with systemd's DynamicUser, the data folder is a link, whose target would be refused
  const url = pathToFileURL(join(folder, MODULE)).href;
  const program = `
    const { evalSnippets } = await import(${JSON.stringify(url)});
    const sources = Object.entries(evalSnippets).map(([id, snippet]) => [id, "(" + snippet + ")()"]);
    process.stdout.write(JSON.stringify(Object.fromEntries(sources)));`;
  const permissions = ["--permission", `--allow-fs-read=${folder}`];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...permissions, "--no-warnings", "--input-type=module", "--eval", program],
    { env: {}, maxBuffer: 16 * 2 ** 20, timeout: 30_000 },
  );
  return JSON.parse(stdout);
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
