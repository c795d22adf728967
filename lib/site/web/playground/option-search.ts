// Finds options by the words of a visitor: in their names, in their descriptions, and in the names that other services have for them.
import type { OptionReference } from "./contract.ts";

/** What other services call each option, as words. */
export type OtherWords = ReadonlyMap<string, string>;

/** True for an option that has each of the words. Separators count as spaces. */
export function matchesQuery({ name, description }: OptionReference, query: string, others?: OtherWords): boolean {
  const text = `${name} ${wordsOf(name)} ${description} ${others?.get(name) ?? ""}`.toLowerCase();
  return wordsOf(query)
    .toLowerCase()
    .split(" ")
    .every((word) => text.includes(word));
}

const wordsOf = (text: string) => text.replaceAll(/[\s_-]+/g, " ").trim();

/** Loads the names of other services, which are a file of their own: who doesn't search has less to load. None if it can't be loaded. */
export async function loadOtherWords(): Promise<OtherWords> {
  const words = new Map<string, string>();
  try {
    const { otherNames } = await import("../../../contract/options/other-service-names.ts");
    for (const [name, option] of otherNames) words.set(option, `${words.get(option) ?? ""} ${name} ${wordsOf(name)}`);
  } catch {}
  return words;
}
