// Fails the capture by the text of the page: text that it must not contain, or must contain.
import { contentRuleFailed } from "../../errors/option-errors.ts";
import { readDocument } from "../../formats/document/documents.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

/** Searched part of the text; the longest pages that people read have two million characters. */
const MAX_CHARACTERS = 10_000_000;

interface CheckContent {
  readonly contains: readonly string[];
  readonly missing: readonly string[];
}

export const checkContent: StepFactory<CaptureStep, CheckContent> = captureStep({
  name: "check-content",
  phase: "settle",
  run: async (page, { contains, missing }) => {
    const { text } = await readDocument(page, "text", { shadowDom: true, characters: MAX_CHARACTERS });
    const searched = normalize(text);
    const isFound = (phrase: string) => searched.includes(normalize(phrase).trim());
    const unwanted = contains.find(isFound);
    if (unwanted !== undefined) throw contentRuleFailed("fail_if_content_contains", `the page contains '${unwanted}'`);
    const lacking = missing.find((phrase) => !isFound(phrase));
    if (lacking !== undefined) throw contentRuleFailed("fail_if_content_missing", `the page lacks '${lacking}'`);
  },
});

/** Case and white space make no difference, and neither does the place of a digit: "H2O" finds H₂O. */
function normalize(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").toLowerCase();
}
