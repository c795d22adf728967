// The language of code samples, which a reader chooses once for the documentation and the playground.
import { type SampleLanguage, sampleLanguages } from "../../samples/sample-languages.ts";
import { readStored, store } from "./storage.ts";

const STORED_LANGUAGE = "sample-language";

/** The language that was chosen in this browser; curl without a choice. */
export function chosenSampleLanguage(): SampleLanguage {
  const stored = readStored("localStorage", STORED_LANGUAGE) ?? "sh";
  return Object.hasOwn(sampleLanguages, stored) ? (stored as SampleLanguage) : "sh";
}

/** Without storage, the choice holds for the page. */
export const storeSampleLanguage = (language: string): void => void store("localStorage", STORED_LANGUAGE, language);
