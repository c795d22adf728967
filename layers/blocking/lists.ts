// The filter lists of each purpose, with their metadata.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Purpose } from "../../lib/contract/options/filter-purposes.ts";
import type { FilterList } from "../../lib/engine/adblock/filter-lists.ts";

/**
 * Which filters of a list are used. Lists for one language are applied to all pages here, for which they were not written.
 *
 * - `everything`
 * - `names`: generic hiding rules must consist of one descriptive id or class, such as `.werbung`
 * - `sites`: only filters that name a site or a blocked host
 */
export type Scope = "everything" | "names" | "sites";

/** The text and the metadata of a list. */
export interface ListText extends FilterList {
  readonly text: string;
  readonly scope: Scope;
}

/** Lists by number in the package. */
const numbers: Readonly<Record<Purpose, Partial<Readonly<Record<Scope, readonly number[]>>>>> = {
  ads: {
    everything: [2, 11], // base, mobile
    names: [1, 6, 7, 8, 9, 13, 16, 23, 224], // AdGuard's own, for one or two languages each
    sites: [103, 105, 108, 109, 110, 111, 112, 120, 202, 203, 214, 216, 218, 227, 233, 235, 243, 249, 252, 253, 254],
  },
  // Not 17, which removes URL parameters and blocks nothing.
  trackers: { everything: [3] },
  cookies: { everything: [18], sites: [217] },
  socials: { everything: [4] },
  chats: { everything: [22] },
  annoyances: { everything: [19, 20, 21] },
};

/** Lists of this folder, in addition to those of the package. */
const ownFiles: Partial<Readonly<Record<Purpose, string>>> = { chats: "chats.txt" };

/** The lists of a purpose in the folder of the package. Throws when one is missing or has no title, version or date. */
export function listsFor(purpose: Purpose, content: string): ListText[] {
  const list = (scope: Scope, text: string) => ({ purpose, ...readMetadata(text), scope, text });
  const scopes = Object.entries(numbers[purpose]) as [Scope, readonly number[]][];
  const packaged = scopes.flatMap(([scope, each]) => each.map((number) => list(scope, packagedText(content, number))));
  const own = ownFiles[purpose];
  return own ? [...packaged, list("everything", readFileSync(join(import.meta.dirname, own), "utf8"))] : packaged;
}

/** The files of the package that the lists are read from, relative to its folder. */
export const listFiles: readonly string[] = Object.values(numbers).flatMap((scopes) =>
  Object.values(scopes).flat().map(listFile),
);

function listFile(number: number): string {
  return `dist/filters/declarative/ruleset_${number}/ruleset_${number}.json`;
}

/** The package has lists as rules for a browser, with their source text. */
function packagedText(content: string, number: number): string {
  const file = join(content, listFile(number));
  const [head] = JSON.parse(readFileSync(file, "utf8"));
  const text = head?.metadata?.rawFilterList;
  if (typeof text !== "string" || text === "") throw new Error(`${file} holds no list.`);
  return text;
}

/** Metadata in the first comments. A combined list has comments of its parts further down. */
function readMetadata(text: string): Omit<FilterList, "purpose"> {
  const read = (name: string) => {
    const value = new RegExp(`^! ${name}: *(.*?)\\s*$`, "m").exec(text)?.[1];
    if (!value) throw new Error(`A list has no ${name.toLowerCase()}: ${text.slice(0, 200)}`);
    return value;
  };
  const updated = read("TimeUpdated");
  const date = /^\d{4}-\d{2}-\d{2}/.exec(updated)?.[0];
  if (date === undefined) throw new Error(`A list was updated at '${updated}', which is no date.`);
  return { title: read("Title"), version: read("Version"), date };
}
