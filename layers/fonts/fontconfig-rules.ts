// fontconfig's rules for the fonts of the layer: a file that the configuration of a launch includes.
import { askedLast, languageOf, preferredFor, substitutes } from "./substitutes.ts";

/** `askedFirst` are families that come before those whose place in the order is given. */
export function fontconfigRules(askedFirst: readonly string[]): string {
  const rules = [
    // The file calls itself by its name of 2014.
    scanRule("Noto Sans S Chinese", assign("family", string("Noto Sans SC"))),
    ...Object.entries(languageOf).map(([family, language]) =>
      scanRule(family, assign("lang", `<langset>${string(language)}</langset>`)),
    ),
    ...Object.entries(substitutes).flatMap(([family, names]) =>
      names.map((name) => rule(test("family", "eq", name), assign("family", string(family)))),
    ),
    ...preferredFor.map(([language, family]) =>
      rule(test("lang", "contains", language), edit("family", "prepend", "strong", string(family))),
    ),
    rule(edit("family", "append_last", "weak", [...askedFirst, ...askedLast].map(string).join(""))),
  ];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${rules.join("\n")}
</fontconfig>
`;
}

/** Changes what a scan finds out of a font. */
function scanRule(family: string, change: string): string {
  return `<match target="scan">${test("family", "eq", family)}${change}</match>`;
}

/** Changes what is requested. */
function rule(...parts: string[]): string {
  return `<match>${parts.join("")}</match>`;
}

function test(property: string, compare: string, value: string): string {
  return `<test name="${property}" compare="${compare}">${string(value)}</test>`;
}

function assign(property: string, value: string): string {
  return edit(property, "assign", "strong", value);
}

function edit(property: string, mode: string, binding: string, value: string): string {
  return `<edit name="${property}" mode="${mode}" binding="${binding}">${value}</edit>`;
}

function string(value: string): string {
  return `<string>${value}</string>`;
}
