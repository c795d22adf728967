// What autoconsent brings: the script that finds and closes consent banners, and its rules, as they lie in their layer.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AutoConsentCMPRule } from "@duckduckgo/autoconsent";

/** How one platform's banner is recognised and closed. */
export type ConsentRule = Pick<
  AutoConsentCMPRule,
  | "name"
  | "cosmetic"
  | "intermediate"
  | "minimumRuleStepVersion"
  | "runContext"
  | "prehideSelectors"
  | "detectCmp"
  | "detectPopup"
  | "optOut"
  | "optIn"
>;

export type ConsentStep = ConsentRule["detectPopup"][number];

export interface ConsentData {
  readonly rules: readonly ConsentRule[];
  /** Expressions that rules run in the page's own world, by their names. */
  readonly snippets: Readonly<Record<string, string>>;
}

export interface ConsentFiles extends ConsentData {
  /** The content script. */
  readonly script: string;
}

/** Reads them from the layer's folder. Rejects when one is missing, which is a mistake of the deployment. */
export async function readConsentFiles(folder: string): Promise<ConsentFiles> {
  try {
    const [script, data] = await Promise.all([
      readFile(join(folder, "consent.js"), "utf8"),
      readFile(join(folder, "consent.json"), "utf8"),
    ]);
    const { rules, snippets }: ConsentData = JSON.parse(data);
    return { script, rules, snippets };
  } catch (error) {
    throw new Error(`The rules for consent banners at ${folder} cannot be used.`, { cause: error });
  }
}
