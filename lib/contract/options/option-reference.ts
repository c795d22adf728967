// The reference of capture options, read from their schemas: the OpenAPI document and the tables are generated from it.
import * as v from "valibot";
import { describeKinds, type FormatKind } from "./formats.ts";
import { optionGroups } from "./groups/all.ts";
import { type OptionFacts, optionFacts, type ValueFacts } from "./option.ts";

export interface OptionReference
  extends Pick<OptionFacts, "description" | "needs" | "sample" | "sampleWith">,
    ValueFacts {
  readonly name: string;
  /** The default in words, or as a caller would send it; undefined if there is none. */
  readonly defaultText: string | undefined;
  /** The default as a value, if a caller may send it with any other options; otherwise undefined. */
  readonly defaultValue: unknown;
  /** The kinds of formats that the option applies to; undefined for all. */
  readonly only: readonly FormatKind[] | undefined;
  /** True if its value is never logged. */
  readonly secret: boolean;
}

export interface OptionGroup {
  readonly group: keyof typeof optionGroups;
  /** What the options of the group are for. */
  readonly about: string;
  readonly options: readonly OptionReference[];
}

/** The options of each group, in the order of the reference. */
export function optionReference(): OptionGroup[] {
  return Object.entries(optionGroups).map(([name, entries]) => {
    const group = name as keyof typeof optionGroups;
    return { group, about: groupDescriptions[group], options: describeOption(entries) };
  });
}

const groupDescriptions: Readonly<Record<keyof typeof optionGroups, string>> = {
  Input: "What to capture: a URL, HTML, or Markdown.",
  Output: "Format, size, and delivery of the result.",
  "Window and device": "Viewport and device to emulate.",
  "Part of the page": "Capture the viewport, the full page, an element, or a rectangle.",
  "Waiting and failing": "When the page is ready, timeouts, and conditions that fail the capture.",
  "The visitor": "Headers, cookies, language, location, and proxy of the browser.",
  "Changing the page": "Styles, scripts, and clicks to apply before the capture.",
  Blocking: "Block ads, trackers, cookie banners, widgets, and individual requests.",
  Video: "Duration and size of the video, and how it scrolls.",
  PDF: "Paper, margins, pages, headers, and footers.",
  Metadata: "Information about the page to return with the result.",
  "Delivery and cache": "Asynchronous captures, webhooks, and the cache.",
  "Your own storage": "Upload the result to your own bucket.",
};

/** The reference of the entries of a schema. */
export function describeOption(entries: Readonly<Record<string, v.GenericSchema>>): OptionReference[] {
  return Object.entries(entries).map(([name, entry]) => {
    const { otherwise, only, secret = false, ...facts } = optionFacts(entry);
    const fixed: unknown = v.getDefault(entry as Parameters<typeof v.getDefault>[0]);
    const isSendable = fixed === false || (!only && !facts.needs);
    const defaultValue = otherwise === undefined && isSendable ? fixed : undefined;
    const defaultText = otherwise ?? (fixed === undefined ? undefined : String(fixed));
    return { ...facts, name, defaultText, defaultValue, only, secret };
  });
}

/** The formats that an option applies to, as a sentence; empty if it applies to all. */
export function describeScope({ only }: OptionReference): string {
  return only ? `For ${describeKinds(only)} only.` : "";
}
