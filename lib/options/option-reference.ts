// What is told about the capture options, made from their schema: the OpenAPI document and the tables are made from it.
import * as v from "valibot";
import type { FormatKind } from "./formats.ts";
import { optionGroups } from "./groups/all.ts";
import { type JsonSchema, optionFacts } from "./option.ts";
import { enumeration } from "./values/enumeration.ts";

export interface OptionReference {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: JsonSchema;
  /** In words, or as a caller would send it; undefined where nothing is the default. */
  readonly defaultText: string | undefined;
  /** The default as a value, where a caller may send it whatever else is sent. */
  readonly defaultValue: unknown;
  /** The kinds of formats it means something for; undefined where it does for all. */
  readonly only: readonly FormatKind[] | undefined;
  /** True when its value is kept in no log. */
  readonly secret: boolean;
}

export interface OptionGroup {
  readonly group: keyof typeof optionGroups;
  /** What the options of the group decide. */
  readonly about: string;
  readonly options: readonly OptionReference[];
}

/** The options of each group, in the order in which they are explained. */
export function optionReference(): OptionGroup[] {
  return Object.entries(optionGroups).map(([name, entries]) => {
    const group = name as keyof typeof optionGroups;
    return { group, about: abouts[group], options: describeOption(entries) };
  });
}

const abouts: Readonly<Record<keyof typeof optionGroups, string>> = {
  Input: "What is captured: an address, HTML or Markdown.",
  Output: "The format of the result, its size, and how it is delivered.",
  "Window and device": "The window in which the page is shown, and the device it believes to be on.",
  "Part of the page": "The window, the whole page, an element or a rectangle.",
  "Waiting and failing": "When the page is ready, how long that may take, and what makes a capture fail.",
  "The visitor": "Who the page believes to be visited by: headers, cookies, language, place, proxy.",
  "Changing the page": "What is done to the page first: styles, scripts, clicks.",
  Blocking: "What is kept out: ads, trackers, cookie banners, widgets, single requests.",
  Video: "How long a video is, its size, and how it moves through the page.",
  PDF: "Paper, margins, sheets, headers and footers.",
  Metadata: "What is told about the page beside its picture.",
  "Delivery and cache": "Captures in the background, webhooks, and results that are used again.",
  "Your own storage": "A bucket of yours that the result is put into.",
};

/** The facts of the entries of a schema. */
export function describeOption(entries: Readonly<Record<string, v.GenericSchema>>): OptionReference[] {
  return Object.entries(entries).map(([name, entry]) => {
    const { description, jsonSchema, otherwise, only, needsOthers = false, secret = false } = optionFacts(entry);
    const fixed: unknown = v.getDefault(entry as Parameters<typeof v.getDefault>[0]);
    const isSendable = fixed === false || (!only && !needsOthers);
    const defaultValue = otherwise === undefined && isSendable ? fixed : undefined;
    const defaultText = otherwise ?? (fixed === undefined ? undefined : String(fixed));
    return { name, description, jsonSchema, defaultText, defaultValue, only, secret };
  });
}

const kindNames: Readonly<Record<FormatKind, string>> = {
  image: "images",
  video: "videos",
  pdf: "pdf",
  document: "documents",
};

/** The formats an option is for, as a sentence; empty for one that is for all. */
export function describeScope({ only }: OptionReference): string {
  return only ? `For ${enumeration(only.map((kind) => kindNames[kind]))} only.` : "";
}
