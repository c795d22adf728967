// The changelog as data: its sections, and the part of the product that each change names in brackets.

/** What a change can be about. Customers read of the first two; the last one is for those who run the service. */
export const changeTags = ["API", "Dashboard", "Operation"] as const;
export type ChangeTag = (typeof changeTags)[number];

/** The tags that the page shows first. */
export const customersTags: readonly ChangeTag[] = ["API", "Dashboard"];

export interface ChangelogSection {
  /** Such as `1.0.0 – 2026-11-23`, or a date alone. */
  readonly title: string;
  /** `2026-11-23`. */
  readonly date: string;
  /** The Markdown below its heading. */
  readonly text: string;
}

/** The sections that have a date, newest first: all but `Unreleased`. */
export function datedSections(changelog: string): ChangelogSection[] {
  return changelog.split(/^## /m).flatMap((section) => {
    const end = section.indexOf("\n");
    const title = section.slice(0, end);
    const date = /\d{4}-\d{2}-\d{2}$/.exec(title)?.[0];
    return date === undefined ? [] : [{ title, date, text: section.slice(end).trim() }];
  });
}

/** The first lines of changes that name no part of the product. */
export function untaggedChanges(changelog: string): string[] {
  const changes = changelog.match(/^- .*$/gm) ?? [];
  return changes.filter((change) => !changeTags.some((tag) => change.startsWith(`- [${tag}] `)));
}
