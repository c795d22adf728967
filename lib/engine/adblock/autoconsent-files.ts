// Autoconsent's content script and rules, loaded from their layer.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AutoConsentCMPRule } from "@duckduckgo/autoconsent";

/** How the banner of one consent platform is recognised and closed. */
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
  /** Expressions that rules evaluate in the page's main world, by name. */
  readonly snippets: Readonly<Record<string, string>>;
}

export interface ConsentFiles extends ConsentData {
  /** The content script. */
  readonly script: string;
}

/** Loads them from the layer's folder. Rejects when one is missing, which is a deployment error. */
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
